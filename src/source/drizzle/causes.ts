export { causesOf } from '../../observe/causes.ts'
