//! The steps as a plot: four panels over the number of transfers, as SVG.

use std::fmt::Write;

use super::{Step, float};

/// Of a panel, in pixels; its axes lie within.
const WIDTH: f64 = 400.0;
const HEIGHT: f64 = 220.0;
const LEFT: f64 = 66.0;
const RIGHT: f64 = 18.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 36.0;

/// What stands in a panel: its title, what is drawn, and how its numbers are written.
type Panel = (&'static str, fn(&Step) -> f64, fn(f64) -> String);

const PANELS: [Panel; 4] = [
    ("written, thousand transfers a second", |step| step.rate / 1e3, |it| format!("{it:.0}")),
    ("resident at most, GiB", |step| step.resident / 1024.0, |it| format!("{it:.1}")),
    ("file on disk, GiB", |step| step.disk / 1024.0, |it| format!("{it:.1}")),
    ("opened from a snapshot, seconds", |step| step.opening, |it| format!("{it:.1}")),
];

/// The plot; it is drawn dark on white, whatever the page around it has.
pub fn render(steps: &[Step]) -> String {
    let (width, height) = (2.0 * WIDTH, 2.0 * HEIGHT);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <title>A ledger that grows</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
    );
    for (number, panel) in PANELS.iter().enumerate() {
        let across = if number % 2 == 0 { 0.0 } else { WIDTH };
        let down = if number < 2 { 0.0 } else { HEIGHT };
        let _ = writeln!(svg, "<g transform=\"translate({across} {down})\">");
        draw(&mut svg, steps, panel);
        svg.push_str("</g>\n");
    }
    svg.push_str("</svg>\n");
    svg
}

fn draw(svg: &mut String, steps: &[Step], (title, figure, written): &Panel) {
    let most_across = steps.iter().map(|step| float(step.transfers)).fold(1.0, f64::max);
    let most = round_up(steps.iter().map(figure).fold(f64::MIN_POSITIVE, f64::max));
    let x = |transfers: f64| LEFT + transfers / most_across * (WIDTH - LEFT - RIGHT);
    let y = |it: f64| HEIGHT - BOTTOM - it / most * (HEIGHT - TOP - BOTTOM);
    let _ = writeln!(svg, "<text x=\"{LEFT}\" y=\"20\" font-weight=\"bold\">{title}</text>");
    for quarter in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let (at, label) = (y(quarter * most), written(quarter * most));
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT} {at:.1}H{}\" stroke=\"#ddd\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
            WIDTH - RIGHT,
            LEFT - 6.0,
            at + 4.0
        );
    }
    for half in [0.0, 0.5, 1.0] {
        let millions = half * most_across / 1e6;
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{millions:.0} M</text>",
            x(half * most_across),
            HEIGHT - 14.0
        );
    }
    let points: Vec<String> = steps
        .iter()
        .map(|step| format!("{:.1},{:.1}", x(float(step.transfers)), y(figure(step))))
        .collect();
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"#0b6\" stroke-width=\"2\"/>",
        points.join(" ")
    );
    for point in points {
        let (x, y) = point.split_once(',').expect("two coordinates");
        let _ = writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"3\" fill=\"#0b6\"/>");
    }
}

/// The next of 1, 2, 4, 6, 8 and 10 times a power of ten.
fn round_up(most: f64) -> f64 {
    let power = 10_f64.powf(most.log10().floor());
    let steps = [1.0, 2.0, 4.0, 6.0, 8.0, 10.0];
    steps.iter().map(|step| step * power).find(|it| *it >= most).unwrap_or(most)
}
