//! The offline analyst: reads a question without a language model and answers it exactly, or asks back.
//!
//! This file is the map, in the order in which a question goes through it. `contract` is all that a caller sees:
//! question and material in, draft out, the portfolio behind a trait. Nothing here has a database or a network.
//!
//! The rules are frozen: no new wording, rule or example. They read what their authors saw and about two thirds of
//! what they did not, and more of them did not change that; breadth is the work of language models over exact calls.

pub mod answer;
/// What a caller gives and gets.
pub mod contract {
    pub mod brief;
    pub mod draft;
    pub mod portfolio;
}
/// What the readers do not know, read by the learned model; `crates/analyst-learn` makes it.
pub mod by_example {
    pub mod features;
    pub mod model;
    pub(crate) mod reader;
    pub(crate) mod reading;
    pub mod telling;
}
mod calculation;
/// Questions about the asker's own properties: pieces, reading, plan, answer.
mod portfolio {
    mod accounts;
    mod adding;
    mod amounts;
    pub mod answer;
    mod antecedent;
    mod anyway;
    mod ask;
    mod beside;
    mod bounded;
    mod bounds;
    mod budgets;
    mod changes;
    mod chosen;
    mod clauses;
    mod computing;
    mod conditions;
    mod derived;
    mod doubts;
    mod filters;
    mod fixed;
    mod framing;
    mod held;
    mod histories;
    mod lexicon;
    mod lists;
    mod loans;
    mod meanings;
    mod measures;
    mod merging;
    mod moments;
    mod naming;
    mod narrowed;
    mod not_begun;
    mod over;
    mod overall;
    mod parts;
    mod paying;
    mod payments;
    mod people;
    mod periods;
    mod pieces;
    mod places;
    mod plan;
    mod pointing;
    mod quantities;
    mod ranks;
    mod reading;
    mod relative;
    mod remaining;
    mod restated;
    mod rolls;
    mod rosters;
    mod say;
    mod scopes;
    mod set_aside;
    mod shaping;
    mod shown;
    mod sides;
    mod slips;
    mod splits;
    mod stays_in;
    mod strange;
    mod sums;
    mod supposed;
    mod terms;
    mod times;
    mod twice;
    mod unkept;
    mod unsure;
    mod without;
}
/// Text to tokens: numbers as people write them, with scale, unit and period.
pub mod words {
    pub(crate) mod among;
    pub(crate) mod asides;
    pub(crate) mod everyday;
    pub(crate) mod notation;
    pub mod numbers;
    mod parts;
    pub(crate) mod pattern;
    pub mod scan;
    mod spelling;
}
/// Tokens to a reading: which quantities are named, given and asked for.
mod read {
    pub mod changes;
    pub mod fitting;
    pub mod given;
    pub mod goals;
    pub mod handing;
    pub mod layout;
    pub mod linking;
    pub mod reading;
    mod renaming;
    pub mod roles;
    mod shares;
    pub mod terms;
    pub mod vocabulary;
    mod wanted;
}
/// A reading to computed values over the graph, or to what has to be asked.
mod plan {
    mod asides;
    pub mod calculate;
    mod completing;
    pub mod conditions;
    pub mod continuing;
    pub mod deal;
    pub mod elimination;
    pub mod frame;
    pub mod guards;
    mod headline;
    pub mod manner;
    mod nearby;
    pub mod outcome;
    mod outside;
    pub mod periods;
    mod phrases;
    mod placed;
    pub mod plainly;
    pub mod rates;
    mod repaid;
    pub mod reserves;
    pub mod settling;
    mod spans;
    pub mod stated;
    pub mod steps;
    pub mod stress;
    mod unheeded;
    mod unused;
    pub mod waived;
    pub mod withheld;
}
/// Questions about a series of cash flows.
mod flows {
    pub mod amounts;
    mod asked;
    mod counted;
    mod course;
    pub mod cues;
    mod denied;
    mod directions;
    mod discounting;
    mod followed;
    mod frequency;
    mod labels;
    mod measures;
    mod moments;
    mod parts;
    mod placed;
    pub mod reversion;
    mod schedule;
    pub mod series;
    mod sides;
    mod slipped;
    mod spreading;
    mod timing;
    mod when;
}
/// Families of questions with names of their own for their inputs, one file for each field.
mod forms {
    mod adjusting;
    pub mod answer;
    mod borrowing;
    mod building;
    mod catalogue;
    mod costs;
    mod coverage;
    mod effective;
    mod exchanges;
    mod exclusions;
    mod fit;
    mod form;
    mod growing;
    mod holding;
    mod leases;
    mod lender;
    mod lending;
    mod letting;
    mod leverage;
    mod levies;
    mod money;
    mod occupancy;
    mod owning;
    mod partners;
    mod prepaying;
    mod promotes;
    mod reading;
    mod recoveries;
    mod refinancing;
    mod retail;
    mod space;
    mod statement;
    mod states;
    mod taxes;
    mod tenancy;
    mod units;
    mod valuing;
    pub mod words;
    mod writing_off;
    mod yields;
}
/// Questions whose inputs are lists, one file for each kind.
mod lists {
    mod agreement;
    pub mod answer;
    pub mod around;
    mod arrears;
    mod bands;
    mod basis;
    pub mod calendar;
    mod capitalized;
    mod collars;
    mod commissions;
    mod counted;
    mod covering;
    mod dated;
    mod deadlines;
    mod expiries;
    mod grid;
    mod groups;
    mod indexed;
    mod mix;
    mod multiplier;
    mod netted;
    mod paired;
    mod partnership;
    mod premiums;
    mod sales;
    mod schedule;
    mod spans;
    mod steps;
    mod successive;
    mod terms;
    mod twofold;
    mod weighted;
}
/// What notes contribute: quotations, house values, offers.
mod notes {
    pub mod memory;
    pub mod offers;
    pub mod plain;
    mod quoting;
    pub mod recall;
}
/// Questions with numbers in the sentence and others in a file: its amounts are told with the question.
mod handed {
    mod amounts;
    pub mod answer;
    mod budgets;
    mod lines;
    pub mod pointing;
    mod series;
}
/// Questions about tables: pasted, or in files.
mod sheets {
    mod account;
    pub mod answer;
    pub mod asked;
    mod attempt;
    mod begun;
    mod belonging;
    mod breaks;
    mod budgets;
    mod changes;
    mod choosing;
    mod columned;
    mod columns;
    mod compared;
    mod costs_but;
    mod coverage;
    mod deducted;
    pub mod finding;
    mod fitting_columns;
    mod goals;
    mod indicated;
    mod kinds_of_rows;
    mod ledger;
    mod lines;
    mod meaning;
    pub mod measured;
    mod mistaken;
    mod mixes;
    mod modified;
    mod movers;
    mod narrowing;
    mod orders;
    pub mod parties;
    mod peaks;
    pub mod periods;
    mod potential;
    mod priced;
    /// A question as typed queries over the rows and columns of a table.
    mod query {
        mod amounts;
        pub mod answer;
        mod asks;
        pub mod cells;
        mod computing;
        pub mod counting;
        pub mod cues;
        mod filters;
        mod grouping;
        mod having;
        mod likeness;
        mod listing;
        mod measuring;
        pub mod naming;
        mod nouns;
        mod part;
        mod pieces;
        mod reading;
        mod timing;
        mod values;
        mod view;
        pub mod vocabulary;
        mod wanted;
    }
    /// A question that was not read as it stands, in other words: each part puts or leaves out words of one sort.
    pub mod retold {
        pub mod answer;
        mod doubled;
        mod idioms;
        mod lettings;
        mod manners;
        pub mod presenting;
        mod remarks;
        mod restated;
        mod tallies;
        pub mod tokens;
        mod wording;
    }
    mod returns;
    mod roles;
    mod rolls;
    mod sales;
    mod sides;
    mod slots;
    mod slotted;
    pub mod sources;
    mod spaces;
    mod statements;
    mod status_words;
    mod streams;
    mod subject;
    mod sums;
    mod terms;
    mod time;
    mod tops;
    mod units;
    mod unmet;
    mod unshown;
    mod variances;
    mod views;
    pub mod words;
    mod yields;
}
/// What an amount has to be for a ratio that is told.
mod targets;
/// Answers in words.
pub mod say {
    pub mod compose;
    pub mod format;
    pub mod glossary;
    pub mod recast;
    pub mod scope;
    pub mod unused;
    pub mod written;
}
