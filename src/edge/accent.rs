//! An assistant's colour as a small style sheet: the colour itself, a text colour that can be read
//! on it, and shades of it that can be read on the light and the dark page.
//!
//! A style sheet of its own because the pages allow no inline styles. Knows no assistant.

/// Backgrounds of the style sheet, light and dark: readable means readable on these.
const PAPER: Colour = Colour([0xff, 0xff, 0xff]);
const NIGHT: Colour = Colour([0x1b, 0x1d, 0x21]);
const BLACK: Colour = Colour([0x10, 0x12, 0x14]);
/// Contrast that WCAG AA asks of normal text, with a little to spare for tinted grounds.
const ENOUGH: f64 = 5.0;
/// Contrast of a filled shape with the page: enough to see its outline.
const VISIBLE: f64 = 1.4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour([u8; 3]);

impl Colour {
    /// Reads `#rrggbb`, also without the sign.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#').unwrap_or(text);
        let mut colour = [0; 3];
        hex::decode_to_slice(digits, &mut colour).ok()?;
        Some(Self(colour))
    }

    /// Six hexadecimal digits, in lower case.
    pub fn hex(self) -> String {
        hex::encode(self.0)
    }

    /// WCAG's contrast ratio, 1 to 21.
    pub fn contrast(self, other: Self) -> f64 {
        let (one, two) = (self.luminance(), other.luminance());
        (one.max(two) + 0.05) / (one.min(two) + 0.05)
    }

    fn luminance(self) -> f64 {
        let linear = self.0.map(|channel| {
            let share = f64::from(channel) / 255.0;
            if share <= 0.040_45 {
                share / 12.92
            } else {
                ((share + 0.055) / 1.055).powf(2.4)
            }
        });
        let [red, green, blue] = linear;
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    /// `percent` of the way from this colour to another.
    fn towards(self, other: Self, percent: u16) -> Self {
        let [r, g, b] = self.0;
        let [r2, g2, b2] = other.0;
        let mix = |from: u8, to: u8| {
            let sum = u16::from(from) * (100 - percent) + u16::from(to) * percent;
            u8::try_from((sum + 50) / 100).unwrap_or(u8::MAX)
        };
        Self([mix(r, r2), mix(g, g2), mix(b, b2)])
    }

    /// The nearest shade of it that can be read on `ground`.
    pub fn readable_on(self, ground: Self) -> Self {
        self.apart_from(ground, ENOUGH)
    }

    fn apart_from(self, ground: Self, contrast: f64) -> Self {
        let end = if ground.luminance() > 0.5 { BLACK } else { PAPER };
        let mut shades = (0..=100).step_by(4).map(|percent| self.towards(end, percent));
        shades
            .find(|shade| shade.contrast(ground) >= contrast)
            .unwrap_or(end)
    }

    /// Dark or light text, whichever stands out more on it.
    pub fn ink(self) -> Self {
        if self.contrast(PAPER) >= self.contrast(BLACK) {
            PAPER
        } else {
            BLACK
        }
    }
}

/// The custom properties that `corbel.css` builds on.
pub fn style_sheet(colour: Colour) -> String {
    let words = |ground: Colour| {
        let fill = colour.apart_from(ground, VISIBLE);
        format!(
            "--accent:#{};--on-accent:#{};--accent-text:#{};--accent-soft:#{};--accent-line:#{}",
            fill.hex(),
            fill.ink().hex(),
            colour.readable_on(ground.towards(colour, 10)).hex(),
            ground.towards(colour, 10).hex(),
            ground.towards(colour, 32).hex(),
        )
    };
    format!(
        ":root{{{}}}\n@media(prefers-color-scheme:dark){{:root{{{}}}}}\n",
        words(PAPER),
        words(NIGHT)
    )
}
