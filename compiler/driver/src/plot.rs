//! Memory traces as pictures, after papers/000, figures 4 and 6: the live bytes of each kind of region stacked over
//! time, and above them what is reserved for all.

use std::fmt::Write;

/// One line of a trace.
struct Sample {
    microseconds: f64,
    /// Live bytes of each kind, in the order of the columns.
    live: Vec<f64>,
    /// Reserved bytes of all kinds together.
    reserved: f64,
}

impl Sample {
    fn total(&self) -> f64 {
        self.live.iter().sum()
    }
}

struct Trace {
    kinds: Vec<String>,
    samples: Vec<Sample>,
}

/// Colours of the areas, from the bottom; told apart also without red and green.
const COLOURS: &[&str] = &["#4477aa", "#66ccee", "#228833", "#ccbb44", "#ee6677", "#aa3377"];

const WIDTH: f64 = 820.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 60.0;
const BOTTOM: f64 = 50.0;

/// The picture of a trace, or what is wrong with its text.
pub(crate) fn svg(csv: &str, title: &str) -> Result<String, String> {
    let trace = parse(csv)?;
    let plot = Plot::new(&trace);
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"22\" font-size=\"15\">{}</text>",
        escaped(title)
    );
    plot.axes(&mut out);
    plot.areas(&mut out);
    plot.legend(&mut out);
    out.push_str("</svg>\n");
    Ok(out)
}

fn parse(csv: &str) -> Result<Trace, String> {
    let mut lines = csv.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let is_trace = header.len() >= 3 && header.len() % 2 == 1 && header[0] == "microseconds";
    if !is_trace {
        return Err("this is no memory trace: its first line names no regions".to_string());
    }
    let kind = |pair: &[&str]| {
        let name = pair[0].strip_suffix("_live")?;
        (pair[1] == format!("{name}_reserved")).then(|| name.to_string())
    };
    let kinds: Option<Vec<String>> = header[1..].chunks(2).map(kind).collect();
    let kinds = kinds.ok_or("its columns are not the live and reserved bytes of regions")?;
    let mut samples = Vec::new();
    for (number, line) in lines.enumerate() {
        let values: Result<Vec<f64>, _> = line.split(',').map(str::parse).collect();
        // A program that was killed may leave half a line at the end.
        let values = match values {
            Ok(values) if values.len() == header.len() => values,
            _ if number > 0 && csv.lines().count() == number + 2 => break,
            _ => return Err(format!("line {} is not {} numbers", number + 2, header.len())),
        };
        samples.push(Sample {
            microseconds: values[0],
            live: values[1..].iter().step_by(2).map(|bytes| bytes.max(0.0)).collect(),
            reserved: values[2..].iter().step_by(2).sum(),
        });
    }
    if samples.is_empty() {
        return Err("it has no samples".to_string());
    }
    Ok(Trace { kinds, samples })
}

/// Where everything goes.
struct Plot<'a> {
    trace: &'a Trace,
    /// As many samples as there is room for.
    shown: Vec<&'a Sample>,
    /// Microseconds at the right edge.
    end: f64,
    /// Bytes at the upper edge.
    top: f64,
}

impl<'a> Plot<'a> {
    fn new(trace: &'a Trace) -> Plot<'a> {
        let end = trace.samples.iter().map(|s| s.microseconds).fold(1.0, f64::max);
        let highest = trace.samples.iter().map(|s| s.reserved.max(s.total())).fold(1.0, f64::max);
        let step = nice_step(highest / BYTE_TICKS, 1024.0);
        Plot {
            trace,
            shown: thinned(&trace.samples, end),
            end,
            top: (highest / step).ceil() * step,
        }
    }

    fn x(&self, microseconds: f64) -> f64 {
        LEFT + microseconds / self.end * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, bytes: f64) -> f64 {
        HEIGHT - BOTTOM - bytes / self.top * (HEIGHT - TOP - BOTTOM)
    }

    fn axes(&self, out: &mut String) {
        let step = nice_step(self.top / BYTE_TICKS, 1024.0);
        let mut bytes = 0.0;
        while bytes <= self.top * 1.0001 {
            let (y, right) = (self.y(bytes), WIDTH - RIGHT);
            let _ = writeln!(
                out,
                "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT - 6.0,
                y + 4.0,
                bytes_text(bytes)
            );
            bytes += step;
        }
        let step = nice_step(self.end / 6.0, 10.0);
        let mut time = 0.0;
        while time <= self.end {
            let _ = writeln!(
                out,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                self.x(time),
                HEIGHT - BOTTOM + 18.0,
                time_text(time)
            );
            time += step;
        }
        let middle = (LEFT + WIDTH - RIGHT) / 2.0;
        let _ = writeln!(
            out,
            "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">elapsed time</text>",
            HEIGHT - 10.0
        );
    }

    /// The live bytes, each kind on top of those before it, and the line of what is reserved.
    fn areas(&self, out: &mut String) {
        let mut below = vec![0.0; self.shown.len()];
        for (kind, _) in self.kinds_in_use() {
            let above: Vec<f64> =
                self.shown.iter().zip(&below).map(|(s, base)| base + s.live[kind]).collect();
            let upper = self.steps(&above);
            let lower = self.steps(&below);
            let back = lower.iter().rev();
            let points: Vec<&str> = upper.iter().chain(back).map(String::as_str).collect();
            let _ = writeln!(
                out,
                "<polygon fill=\"{}\" points=\"{}\"/>",
                COLOURS[kind % COLOURS.len()],
                points.join(" ")
            );
            below = above;
        }
        let reserved: Vec<f64> = self.shown.iter().map(|s| s.reserved).collect();
        let _ = writeln!(
            out,
            "<polyline fill=\"none\" stroke=\"black\" points=\"{}\"/>",
            self.steps(&reserved).join(" ")
        );
    }

    /// A value holds from its sample to the next.
    fn steps(&self, values: &[f64]) -> Vec<String> {
        let mut points = Vec::new();
        let mut last: Option<f64> = None;
        for (sample, &value) in self.shown.iter().zip(values) {
            let x = self.x(sample.microseconds);
            if let Some(last) = last {
                points.push(format!("{x:.1},{:.1}", self.y(last)));
            }
            points.push(format!("{x:.1},{:.1}", self.y(value)));
            last = Some(value);
        }
        points
    }

    fn kinds_in_use(&self) -> Vec<(usize, &str)> {
        let used = |kind: usize| self.trace.samples.iter().any(|s| s.live[kind] > 0.0);
        let kinds = self.trace.kinds.iter().map(String::as_str).enumerate();
        kinds.filter(|&(kind, _)| used(kind)).collect()
    }

    fn legend(&self, out: &mut String) {
        let mut x = LEFT;
        let peak = |of: &dyn Fn(&Sample) -> f64| {
            bytes_text(self.trace.samples.iter().map(of).fold(0.0, f64::max))
        };
        let mut entry = |mark: &str, label: String| {
            let _ = writeln!(
                out,
                "<g transform=\"translate({x:.0},34)\">{mark}<text x=\"16\" y=\"10\">{label}</text></g>"
            );
            x += 34.0 + 6.6 * label.chars().count() as f64;
        };
        entry(
            "<line x1=\"0\" y1=\"6\" x2=\"12\" y2=\"6\" stroke=\"black\"/>",
            format!("reserved, at most {}", peak(&|s| s.reserved)),
        );
        for (kind, name) in self.kinds_in_use() {
            let colour = COLOURS[kind % COLOURS.len()];
            entry(
                &format!("<rect width=\"12\" height=\"12\" fill=\"{colour}\"/>"),
                format!("{} {}", escaped(name), peak(&|s| s.live[kind])),
            );
        }
    }
}

/// Lines across the picture, about.
const BYTE_TICKS: f64 = 5.0;

/// Places across the picture that are told apart.
const COLUMNS: f64 = 720.0;

/// At most four samples for each place across the picture: the first, the lowest, the highest, the last, so that each
/// peak and each valley is drawn.
fn thinned(samples: &[Sample], end: f64) -> Vec<&Sample> {
    let column = |s: &Sample| (s.microseconds / end * COLUMNS) as i64;
    let height = |s: &Sample| s.total() + s.reserved;
    let mut shown = Vec::new();
    let mut start = 0;
    while start < samples.len() {
        let here = column(&samples[start]);
        let rest = &samples[start..];
        let group = &rest[..rest.iter().position(|s| column(s) != here).unwrap_or(rest.len())];
        let order = |a: &usize, b: &usize| height(&group[*a]).total_cmp(&height(&group[*b]));
        let lowest = (0..group.len()).min_by(order).unwrap_or(0);
        let highest = (0..group.len()).max_by(order).unwrap_or(0);
        let mut chosen = vec![0, lowest, highest, group.len() - 1];
        chosen.sort_unstable();
        chosen.dedup();
        shown.extend(chosen.iter().map(|&at| &group[at]));
        start += group.len();
    }
    shown
}

/// 1, 2 or 5 times a power of ten of a power of `unit`, not below `least`.
fn nice_step(least: f64, unit: f64) -> f64 {
    let mut scale = 1.0;
    while unit > 10.0 && scale * unit <= least {
        scale *= unit;
    }
    loop {
        for factor in [1.0, 2.0, 5.0] {
            if factor * scale >= least {
                return factor * scale;
            }
        }
        scale *= 10.0;
    }
}

fn bytes_text(bytes: f64) -> String {
    let (value, unit) = match bytes {
        b if b >= 1024.0 * 1024.0 * 1024.0 => (b / (1024.0 * 1024.0 * 1024.0), "GiB"),
        b if b >= 1024.0 * 1024.0 => (b / (1024.0 * 1024.0), "MiB"),
        b if b >= 1024.0 => (b / 1024.0, "KiB"),
        b => (b, "B"),
    };
    format!("{} {unit}", short(value))
}

fn time_text(microseconds: f64) -> String {
    match microseconds {
        t if t >= 1e6 => format!("{} s", short(t / 1e6)),
        t if t >= 1e3 => format!("{} ms", short(t / 1e3)),
        0.0 => "0".to_string(),
        t => format!("{} µs", short(t)),
    }
}

/// One digit behind the point, if it is not zero.
fn short(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").unwrap_or(&text).to_string()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::svg;

    const HEADER: &str = "microseconds,lexical_live,lexical_reserved,heap_live,heap_reserved\n";

    #[test]
    fn a_kind_that_was_never_used_has_no_area() {
        let picture = svg(&format!("{HEADER}0,0,0,0,0\n10,0,0,2048,4096\n"), "t").unwrap();
        assert_eq!(picture.matches("<polygon").count(), 1);
        assert!(
            picture.contains(">heap 2 KiB<") && picture.contains("at most 4 KiB<"),
            "{picture}"
        );
        assert!(!picture.contains("lexical"));
    }

    #[test]
    fn areas_stand_on_each_other() {
        let picture = svg(&format!("{HEADER}0,2560,2560,2560,2560\n10,2560,2560,2560,2560\n"), "t");
        let picture = picture.unwrap();
        let points = |n: usize| {
            let area = picture.split("<polygon").nth(n).unwrap();
            area.split("points=\"").nth(1).unwrap().split('"').next().unwrap().to_string()
        };
        // 5 KiB at the upper edge: the first area ends in the middle, where the second begins.
        assert_eq!(
            points(1),
            "80.0,215.0 800.0,215.0 800.0,215.0 800.0,370.0 800.0,370.0 80.0,370.0"
        );
        assert_eq!(points(2), "80.0,60.0 800.0,60.0 800.0,60.0 800.0,215.0 800.0,215.0 80.0,215.0");
    }

    #[test]
    fn a_long_trace_keeps_its_peaks() {
        let mut text = HEADER.to_string();
        for time in 0..100_000 {
            let live = if time == 50_003 { 9000 } else { time % 7 };
            text.push_str(&format!("{time},0,0,{live},9000\n"));
        }
        let picture = svg(&text, "t").unwrap();
        assert!(picture.len() < 200_000, "{}", picture.len());
        assert!(picture.contains(">heap 8.8 KiB<"));
        let highest = format!("{:.1}", 370.0 - 9000.0 / 10240.0 * 310.0);
        let area = picture.split("<polygon").nth(1).unwrap();
        assert!(area.contains(&format!(",{highest}")), "{highest}");
    }

    #[test]
    fn what_is_no_trace_is_an_error() {
        for text in ["", "a,b,c\n", "microseconds,heap_live,heap_reserved\n", "microseconds,x,y\n"]
        {
            assert!(svg(text, "t").is_err(), "{text}");
        }
        let error = svg(&format!("{HEADER}0,0,0,0,0\nx\n1,0,0,0,0\n"), "t").unwrap_err();
        assert_eq!(error, "line 3 is not 5 numbers");
    }

    #[test]
    fn half_a_line_at_the_end_is_left_out() {
        let whole = svg(&format!("{HEADER}0,0,0,0,0\n9,0,0,8,8\n"), "t").unwrap();
        assert_eq!(svg(&format!("{HEADER}0,0,0,0,0\n9,0,0,8,8\n12,0"), "t").unwrap(), whole);
    }

    #[test]
    fn a_title_is_text() {
        let picture = svg(&format!("{HEADER}0,0,0,0,0\n"), "a<b>&c").unwrap();
        assert!(picture.contains(">a&lt;b&gt;&amp;c<"));
    }
}
