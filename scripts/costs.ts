import { readFileSync, writeFileSync } from 'node:fs'
import { type Costs, deviations, figures, measureCosts } from '../test/cost/costs.ts'

/** Writes what a request costs now into the file that test/cost compares with, and says what has changed. */
const stored = JSON.parse(readFileSync(figures, 'utf8')) as Costs
const measured = await measureCosts()
for (const line of deviations(measured, stored)) console.log(line)
writeFileSync(figures, `${JSON.stringify(measured, null, 2)}\n`)
