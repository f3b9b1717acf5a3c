//! Metrics in Prometheus' own text format, for whoever does not ask for OpenMetrics.

/// How metrics in OpenMetrics are said to be written.
const OPEN: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
/// How metrics in Prometheus' own format are.
const CLASSIC: &str = "text/plain; version=0.0.4; charset=utf-8";

/// A text of metrics as whoever asks takes it, with what it is.
pub(crate) fn negotiate(openmetrics: String, accept: &str) -> (&'static str, String) {
    if accept.contains("application/openmetrics-text") {
        (OPEN, openmetrics)
    } else {
        (CLASSIC, classic(&openmetrics))
    }
}

/// The same figures: a counter's family bears the name of its samples, units and end are not said.
fn classic(openmetrics: &str) -> String {
    let (mut text, mut help) = (String::with_capacity(openmetrics.len()), None);
    for line in openmetrics.lines() {
        if let Some(rest) = line.strip_prefix("# HELP ") {
            help = rest.split_once(' ');
        } else if let Some((name, kind)) =
            line.strip_prefix("# TYPE ").and_then(|rest| rest.split_once(' '))
        {
            let (ending, kind) = match kind {
                "counter" => ("_total", "counter"),
                "info" => ("_info", "gauge"),
                kind => ("", kind),
            };
            if let Some((_, help)) = help.take() {
                text.extend(["# HELP ", name, ending, " ", help, "\n"]);
            }
            text.extend(["# TYPE ", name, ending, " ", kind, "\n"]);
        } else if !line.starts_with('#') {
            text.extend([line, "\n"]);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIVEN: &str = "# HELP a_seconds Time.\n# TYPE a_seconds counter\n# UNIT a_seconds seconds\n\
        a_seconds_total{of=\"x\"} 1.5\n# HELP b Build.\n# TYPE b info\nb_info{v=\"1\"} 1\n\
        # HELP c Now.\n# TYPE c gauge\nc 2\n# EOF\n";

    #[test]
    fn whoever_asks_for_nothing_is_given_what_every_version_of_prometheus_reads() {
        let (kind, text) = negotiate(GIVEN.to_owned(), "*/*");
        assert_eq!(kind, CLASSIC);
        assert_eq!(
            text,
            "# HELP a_seconds_total Time.\n# TYPE a_seconds_total counter\n\
             a_seconds_total{of=\"x\"} 1.5\n# HELP b_info Build.\n# TYPE b_info gauge\n\
             b_info{v=\"1\"} 1\n# HELP c Now.\n# TYPE c gauge\nc 2\n"
        );
        let asked = negotiate(GIVEN.to_owned(), "application/openmetrics-text;version=1.0.0");
        assert_eq!(asked, (OPEN, GIVEN.to_owned()));
    }
}
