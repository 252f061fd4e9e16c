//! The other part of [`reading`](super::reading): buildings, loans, tenants and units that are chosen by their size or
//! age while another figure is asked for: "NOI of our largest building". The order would be that of the figure.

use crate::portfolio::lexicon::{self, Meaning, Topic};
use crate::portfolio::pieces::Piece;
use crate::portfolio::quantities::Quantity;
use crate::portfolio::reading::Scan;
use crate::words::among::among;

const SIZES: &str = "largest biggest smallest tallest cheapest priciest expensive";
const AGES: &str = "newest youngest oldest";
const BUILDINGS: &str =
    "building property asset community center centre tower complex site warehouse park store facility scheme";

const BY_SIZE: &str = "I cannot choose buildings or units by their size and give another figure of them. Please name the ones you mean.";

impl Scan<'_> {
    /// What is to be said where a thing is chosen by one measure and another one is asked for.
    pub(super) fn chosen_by_size(&self) -> Option<&'static str> {
        if (0..self.pieces.len()).any(|at| self.chosen(at)) {
            return Some(
                "Largest, or oldest, by what? I cannot choose one by its size or age and give another figure of it in one go. Please name the one you mean.",
            );
        }
        if self.bounded_by_size() {
            return Some(BY_SIZE);
        }
        let of_buildings = self.pieces.iter().any(|piece| among(BUILDINGS, piece.word()));
        let several = self
            .reading
            .rank
            .is_some_and(|rank| rank.count.is_some_and(|count| count > 1));
        let summed = self.reading.summed || self.says_any(&["combined", "together"]);
        (several && of_buildings && summed)
            .then_some("I can list the top ones with their figures, but not add them up. Ask for the list.")
    }

    /// Whether a word of size or age stands right before a thing, with a figure asked for that does not measure it.
    fn chosen(&self, at: usize) -> bool {
        use Topic as T;
        let of_age = among(AGES, self.word(at));
        if !of_age && !among(SIZES, self.word(at)) {
            return false;
        }
        let kind = match lexicon::look_up(self.pieces, at + 1) {
            Some((Meaning::Kind(_), used)) => used,
            _ => 0,
        };
        // "The largest apartment building", "the largest retail center".
        let noun = (at + 1..=at + 1 + kind).map(|at| self.word(at)).find_map(|word| {
            let of = |list: &str| among(list, word);
            match () {
                () if of(BUILDINGS) => Some(&[T::Properties, T::Units, T::Area, T::Built, T::Acquired][..]),
                () if of("loan mortgage") && of_age => Some(&[][..]),
                () if of("loan mortgage") => Some(&[T::Loan, T::Owe, T::Debt][..]),
                () if of("tenant lessee") => Some(&[T::Tenants, T::Rent, T::Concentration, T::Leases][..]),
                () if of("unit apartment suite") => Some(&[T::Units, T::Area, T::UnitSize][..]),
                () => None,
            }
        });
        // "The largest building by NOI": by what is asked for. "By units": by something else.
        let by = (at + 2..at + 5).any(|next| {
            let size = matches!(
                self.word(next + 1),
                "unit" | "area" | "square" | "sqft" | "size" | "door" | "age" | "floor"
            );
            matches!(self.word(next), "by" | "measured" | "term") && !size
        });
        noun.is_some_and(|measures| {
            let other = self.reading.topics.iter().any(|topic| !measures.contains(topic));
            !by && (other || !self.reading.accounts.is_empty())
        })
    }

    /// "Buildings with more than 50 units", "apartments larger than 900 square feet".
    fn bounded_by_size(&self) -> bool {
        use Topic as T;
        let of_size = [T::Units, T::Area, T::UnitSize, T::Built, T::Acquired];
        let other = self.reading.topics.iter().any(|topic| !of_size.contains(topic))
            || !self.reading.accounts.is_empty();
        other
            && self.reading.bounds.iter().any(|bound| {
                let named = matches!(&bound.of, Some(Quantity::Topic(topic)) if of_size.contains(topic));
                // The number may have been taken for a bound of the figure.
                let counted = (0..self.pieces.len()).any(|at| {
                    self.pieces.get(at).and_then(Piece::number) == Some(bound.value)
                        && among(
                            "unit apartment door home square sqft sf foot feet bedroom bed",
                            self.word(at + 1),
                        )
                });
                named || (counted && !bound.percent)
            })
    }
}
