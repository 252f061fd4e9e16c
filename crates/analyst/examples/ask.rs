use analyst::answer::draft;
use analyst::contract::brief::*;
use std::env;
fn main() {
    let mut args = env::args().skip(1);
    let file = args.next().unwrap();
    let mut brief = Brief {
        today: chrono::NaiveDate::from_ymd_opt(2026, 3, 1).unwrap(),
        ..Brief::default()
    };
    if file != "-" {
        let name = file.rsplit('/').next().unwrap().to_owned();
        let media = if name.ends_with(".json") {
            "application/json"
        } else if name.ends_with(".txt") {
            "text/plain"
        } else {
            "text/csv"
        };
        brief.files.push(FileExcerpt {
            id: FileId(uuid::Uuid::nil()),
            name,
            from: FileFrom::Question,
            content: FileContent::Text {
                media: media.into(),
                text: std::fs::read_to_string(&file).unwrap().into(),
            },
        });
    }
    for question in args {
        brief.question = question.clone();
        let d = draft(&brief);
        println!(
            "Q {question}\nSUCCESS {}\nQUICK {}\nSUMMARY {}\nREASONING {}\nWARN {:?}",
            d.success, d.quick_reply, d.summary, d.reasoning, d.warnings
        );
        for f in d.figures.iter().take(4) {
            println!("FIG {} {} {}", f.name, f.value, f.unit);
        }
        brief.earlier = d.frame;
        for f in &mut brief.files {
            f.from = FileFrom::Earlier;
        }
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    for l in status
        .lines()
        .filter(|l| l.starts_with("VmHWM") || l.starts_with("VmRSS"))
    {
        println!("{l}");
    }
    let s = std::fs::read_to_string("/proc/self/stat").unwrap();
    let v: Vec<&str> = s.split(' ').collect();
    println!(
        "CPU {} s",
        (v[13].parse::<f64>().unwrap() + v[14].parse::<f64>().unwrap()) / 100.0
    );
}
