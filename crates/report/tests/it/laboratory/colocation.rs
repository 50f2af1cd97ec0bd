//! One server and two side by side, and the same on a half of the CPUs each: together they do less than the sum of each alone.

use model::{About, Member, Role, Target, Topology};
use report::View;

use super::{Laboratory, MYSQL, MadeUp};

const ONE: MadeUp = MadeUp { label: "1 instance", course: |_, _| 1.0, ..MYSQL };
const TWO: MadeUp = MadeUp { label: "2 instances", lambda: 352.0, alpha: 0.31, ..ONE };
const HALF: MadeUp = MadeUp { label: "1 instance on half the CPUs", lambda: 190.0, ..ONE };
const HALVES: MadeUp = MadeUp { label: "2 instances, half the CPUs each", lambda: 350.0, ..TWO };

/// The view of the experiment.
pub fn view() -> View {
    let laboratory = Laboratory {
        targets: vec![ONE, TWO, HALF, HALVES],
        threads: vec![4, 8, 16],
        repeats: 5,
        time_s: 60,
        workloads: 1,
    };
    let mut run = laboratory.record();
    for (at, one) in run.plan.spec.targets.iter_mut().enumerate() {
        let mut kind = one.target.entry().clone();
        if let (model::ServerKind::Sandbox(sandbox), true) = (&mut kind, at > 1) {
            sandbox.place.cpu_share = "1/2".parse().ok();
        }
        let label = one.target.label.clone();
        one.target = match at % 2 {
            0 => Target::single(label, kind),
            _ => Target {
                label,
                topology: Topology::Independent,
                arrangement: Default::default(),
                members: vec![Member { role: Role::Primary, kind }; 2],
            },
        };
    }
    run.plan.spec.about = Some(About {
        experiment: "colocation".to_owned(),
        question: "Do two instances side by side do more than the sum of each alone, or less, and why?"
            .to_owned(),
        published: None,
        shows: None,
        quick: false,
        arms: true,
        question_zh: Some("两个实例并列运行，总吞吐高于还是低于各自单独运行之和？原因是什么？".to_owned()),
        published_zh: None,
        shows_zh: None,
    });
    View::from_inputs(&[run], &report::ReportOptions::default())
}
