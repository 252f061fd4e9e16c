//! Words of questions about any table: those that change nothing, those that are no name, what rows are called, places
//! in an order.
//!
//! Knows no table.

use crate::sheets::words::{Kind, Words};
use crate::words::among::among;

/// Words that are never a name by themselves.
const NEVER: &str = "a an the of in on at by for to and or is are was were be do does did how many much what which who \
     whose that this these those it they them their its per each every total sum average mean \
     median highest lowest most least largest smallest biggest count number share percent \
     percentage from with without than more less over under above below before after between \
     only all any not no me my our i we you list show give top bottom first last weighted combined together plus \
     minus difference change growth ratio year month quarter day";

pub(crate) fn never(word: &str) -> bool {
    among(NEVER, word)
}

/// "third" and "3rd" of floors.
pub(crate) fn ordinal(word: &str) -> Option<String> {
    let spelled = match word {
        "first" | "ground" => "1",
        "second" => "2",
        "third" => "3",
        "fourth" => "4",
        "fifth" => "5",
        "one" => "1",
        "two" => "2",
        "three" => "3",
        "four" => "4",
        _ => "",
    };
    if !spelled.is_empty() {
        return Some(spelled.to_owned());
    }
    ["st", "nd", "rd", "th"]
        .iter()
        .find_map(|ending| word.strip_suffix(ending))
        .filter(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
        .map(str::to_owned)
}

/// Words that change nothing, and no others: everything else has to be understood.
const FILL: &str = "a an the is are was were be been being am do does did doing done has have had having will would \
     shall should can could may might must what whats what's which who whos whom whose how when where why \
     i we you me us my our your their his her its it it's he she they them that this these those there here thi \
     of in on at for to from with as into onto by per and or also then so too again now please pls thanks thank hi \
     hello give tell find calculate compute get need want know say see let work out figure figures up just only \
     exactly about all any each every one ones some both same table file spreadsheet sheet data attached list lists \
     column columns row rows value values number amount amounts entry entries come comes came make makes go goes \
     look like than if us'd quick question answer currently current today right full whole entire across among within \
     under according based stand stands add adds much many kind sort doe owning actually overall s t yet still \
     show name given far pasted below above document whatever regarding account relate relates mean means belong \
     belongs total together sits sit got gets went getting represent represents count counts be.";

pub(crate) fn filler(word: &str) -> bool {
    among(FILL, word)
}

/// What rows may be called in any table.
const ROWS: &str = "row line entry entrie item record one order ticket job request invoice bill vendor asset contract \
     deal sale comp comparable loan note lease tenant unit suite apartment space resident customer \
     transaction payment property building account account case project position thing piece people \
     household home premise occupant borrower facility mortgage lender trade disposition acquisition";

pub(crate) fn row_noun(word: &str) -> bool {
    among(ROWS, word)
}

/// These suppose, exclude or choose; no reading passes over them.
const CHANGES: &[&str] = &[
    "if",
    "unless",
    "assuming",
    "assume",
    "suppose",
    "without",
    "excluding",
    "except",
    "besides",
    "when",
    "had",
    "than",
];

/// Whether all words are of a list or change nothing; numbers where they are allowed.
pub(crate) fn accounted(words: &Words, own: &str, numbers: bool) -> bool {
    words.all.iter().all(|word| match word.kind {
        Kind::Plain => {
            !CHANGES.contains(&word.text.as_str())
                && (filler(&word.stem)
                    || filler(&word.text)
                    || word.text.len() < 2
                    || among(own, &word.text)
                    || among(own, &word.stem))
        }
        Kind::Number(_) => numbers,
        Kind::Date(_) => false,
    })
}
