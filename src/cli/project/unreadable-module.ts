import { StartError } from '../../error/start-error.ts'

/** A module in words that Node does not read by itself. */
export class UnreadableModule extends StartError {}
