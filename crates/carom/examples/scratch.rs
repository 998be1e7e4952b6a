#![allow(clippy::all, clippy::print_stdout, clippy::unwrap_used, missing_docs)]
use carom::prelude::*;
fn main() {
    let mut b = ModelBuilder::new();
    b.body(Body::new("ball").mass(2.5e-5).surface(Sphere::new(0.199).unwrap()).position([
        0.0,
        0.0,
        0.199 + 4.22e-5,
    ]));
    b.body(Body::fixed("floor").surface(Plane));
    b.contact(ContactRule::between("ball", "floor").normal(Hertz::new().stiffness(2.1e8)));
    let model = b.build().unwrap();
    let mut r = Recording::default();
    struct P(usize);
    impl Sink for P {
        fn progress(&mut self, t: f64) -> std::ops::ControlFlow<()> {
            self.0 += 1;
            if self.0 > 60 {
                std::process::exit(0)
            }
            println!("{t:e}");
            std::ops::ControlFlow::Continue(())
        }
        fn event(&mut self, e: &Event) -> Result<(), carom::SinkError> {
            println!("{e:?}");
            Ok(())
        }
    }
    let run = Simulation::new(&model).duration(0.02).method("ode45").rtol(5e-4).run_into(&mut P(0)).unwrap();
    println!("{}", run.summary);
}
