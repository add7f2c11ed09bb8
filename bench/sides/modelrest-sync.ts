export { openSync as open } from './modelrest.ts'
