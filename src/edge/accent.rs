//! Builds a small style sheet from an assistant's colour: the colour itself, a readable text colour on it, and
//! readable shades of it on the light and the dark page.
//!
//! It is a separate style sheet because the pages forbid inline styles. Does not depend on assistants.

/// The light and the dark page background; "readable" means readable on these.
const PAPER: Colour = Colour([0xff, 0xff, 0xff]);
const NIGHT: Colour = Colour([0x1b, 0x1d, 0x21]);
const BLACK: Colour = Colour([0x10, 0x12, 0x14]);
/// The contrast of normal text by WCAG AA (4.5), with a margin for tinted backgrounds.
const ENOUGH: f64 = 5.0;
/// Contrast of a filled shape with the page, enough to see its outline.
const VISIBLE: f64 = 1.4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour([u8; 3]);

impl Colour {
    /// Parses `#rrggbb` or `rrggbb`.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#').unwrap_or(text);
        let mut colour = [0; 3];
        hex::decode_to_slice(digits, &mut colour).ok()?;
        Some(Self(colour))
    }

    /// Six lower-case hexadecimal digits.
    pub fn hex(self) -> String {
        hex::encode(self.0)
    }

    /// The contrast ratio by WCAG, from 1 to 21.
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

    /// Mixes this colour with `percent` of another.
    fn towards(self, other: Self, percent: u16) -> Self {
        let [r, g, b] = self.0;
        let [r2, g2, b2] = other.0;
        let mix = |from: u8, to: u8| {
            let sum = u16::from(from) * (100 - percent) + u16::from(to) * percent;
            u8::try_from((sum + 50) / 100).unwrap_or(u8::MAX)
        };
        Self([mix(r, r2), mix(g, g2), mix(b, b2)])
    }

    /// The nearest shade that is readable on `ground`.
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

    /// The text colour, dark or light, with the higher contrast.
    pub fn ink(self) -> Self {
        if self.contrast(PAPER) >= self.contrast(BLACK) {
            PAPER
        } else {
            BLACK
        }
    }
}

/// Sets the custom properties that `corbel.css` uses.
pub fn style_sheet(colour: Colour) -> String {
    let properties = |ground: Colour| {
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
        properties(PAPER),
        properties(NIGHT)
    )
}
