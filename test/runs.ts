/**
 * How many random values a property gets. `PROPERTY_RUNS=10` gives ten times as many: a run of the tests has those that find a
 * fault on the day it is written.
 */
export const runs = (count: number): { readonly numRuns: number } => ({
  numRuns: count * Number(process.env['PROPERTY_RUNS'] ?? 1),
})
