//! Pictures of QR codes: the modules of a code as SVG and as PNG.

use std::fmt::Write as _;

use qrcode::{Color, EcLevel, QrCode};

/// The quiet zone around a code, in modules (ISO/IEC 18004 asks for four).
const QUIET: usize = 4;

/// How many pixels a module of a PNG is wide.
const PIXELS: usize = 8;

/// The modules of a code, in rows; true is dark.
pub(super) struct Modules {
    width: usize,
    dark: Vec<bool>,
}

impl Modules {
    /// The code of a text; none where it is longer than any code holds.
    pub(super) fn encode(text: &str) -> Option<Self> {
        // M restores 15 % of what a camera sees badly; a text too long for it gets the least, L.
        let levels = [EcLevel::M, EcLevel::L];
        let mut codes = levels
            .into_iter()
            .filter_map(|level| QrCode::with_error_correction_level(text, level).ok());
        let code = codes.next()?;
        let dark = code.to_colors().into_iter().map(|color| color == Color::Dark).collect();
        Some(Self { width: code.width(), dark })
    }

    fn is_dark(&self, x: usize, y: usize) -> bool {
        self.dark[y * self.width + x]
    }

    /// As SVG: one path, black on white whatever the page's colours are, since cameras want that.
    pub(super) fn svg(&self) -> String {
        let side = self.width + 2 * QUIET;
        let mut path = String::new();
        for y in 0..self.width {
            let mut x = 0;
            while x < self.width {
                let run = (x..self.width).take_while(|x| self.is_dark(*x, y)).count();
                if run > 0 {
                    let _ = write!(path, "M{} {}h{run}v1h-{run}z", x + QUIET, y + QUIET);
                }
                x += run.max(1);
            }
        }
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" \
             width=\"{pixels}\" height=\"{pixels}\" shape-rendering=\"crispEdges\" role=\"img\" \
             aria-label=\"QR Code PIX\"><path fill=\"#fff\" d=\"M0 0h{side}v{side}H0z\"/>\
             <path d=\"{path}\"/></svg>\n",
            pixels = side * PIXELS,
        )
    }

    /// As PNG, one bit a pixel.
    pub(super) fn png(&self) -> Result<Vec<u8>, png::EncodingError> {
        let side = (self.width + 2 * QUIET) * PIXELS;
        let pixels = u32::try_from(side).expect("a code has at most 177 modules a side");
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, pixels, pixels);
        encoder.set_color(png::ColorType::Grayscale);
        encoder.set_depth(png::BitDepth::One);
        let mut writer = encoder.write_header()?;
        let stride = side.div_ceil(8);
        let mut data = vec![0xff_u8; stride * side];
        for (place, _) in self.dark.iter().enumerate().filter(|(_, dark)| **dark) {
            let (x, y) = (place % self.width + QUIET, place / self.width + QUIET);
            for (row, column) in (0..PIXELS).flat_map(|dy| (0..PIXELS).map(move |dx| (dy, dx))) {
                let (pixel, line) = (x * PIXELS + column, y * PIXELS + row);
                data[line * stride + pixel / 8] &= !(0x80 >> (pixel % 8));
            }
        }
        writer.write_image_data(&data)?;
        writer.finish()?;
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A code of the Central Bank's manual, with a key, an amount and a name.
    const CODE: &str = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426614174000\
                        520400005303986540510.005802BR5913FULANO DE TAL6008BRASILIA62070503***6304\
                        36D9";

    /// Returns what a camera reads of a picture, dark where `luma` is low.
    fn read(side: usize, luma: impl FnMut(usize, usize) -> u8) -> String {
        let mut image = rqrr::PreparedImage::prepare_from_greyscale(side, side, luma);
        let grids = image.detect_grids();
        assert_eq!(grids.len(), 1);
        grids[0].decode().unwrap().1
    }

    #[test]
    fn a_picture_is_read_back_as_the_code_by_another_library() {
        for text in [CODE, "simulated-qr-code-276b9f55badc82f2", &"x".repeat(1024)] {
            let bytes = Modules::encode(text).unwrap().png().unwrap();
            let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
            decoder.set_transformations(png::Transformations::EXPAND);
            let mut reader = decoder.read_info().unwrap();
            let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
            let frame = reader.next_frame(&mut pixels).unwrap();
            let width = frame.width as usize;
            assert_eq!(read(width, |x, y| pixels[y * width + x]), text);
        }
    }

    #[test]
    fn the_svg_has_the_modules_that_the_png_has() {
        let modules = Modules::encode(CODE).unwrap();
        let svg = modules.svg();
        // Each run is `M x y h run v1 …`: painted into a grid of modules.
        let side = modules.width + 2 * QUIET;
        let mut dark = vec![false; side * side];
        let path = svg.rsplit("d=\"").next().unwrap().split('"').next().unwrap();
        for run in path.split('M').skip(1) {
            let (x, rest) = run.split_once(' ').unwrap();
            let (y, rest) = rest.split_once('h').unwrap();
            let (x, y): (usize, usize) = (x.parse().unwrap(), y.parse().unwrap());
            let run: usize = rest.split_once('v').unwrap().0.parse().unwrap();
            dark[y * side + x..][..run].fill(true);
        }
        let scale = 4;
        let luma = |x: usize, y: usize| {
            if dark[(y / scale) * side + x / scale] { 0 } else { 255 }
        };
        assert_eq!(read(side * scale, luma), CODE);
    }

    #[test]
    fn a_text_that_no_code_holds_has_no_picture() {
        assert!(Modules::encode(&"x".repeat(3_000)).is_none());
    }
}
