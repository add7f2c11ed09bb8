import { StartError } from '../../error/start-error.ts'

/**
 * `syntax`: words or files that only a compiler knows. `package`: a name that is no package here. `commonjs`: an ES module
 * where package.json says that there is none.
 */
export type UnreadableReason = 'syntax' | 'package' | 'commonjs'

/** A module that Node does not read by itself. */
export class UnreadableModule extends StartError {
  readonly reason: UnreadableReason

  constructor(reason: UnreadableReason, message: string, options: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}
