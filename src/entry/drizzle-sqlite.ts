export { type DecimalConfig, decimal } from '../source/drizzle/sqlite-columns/decimal.ts'
