//! Hard limits of a run: steps, time, tokens, cost.
