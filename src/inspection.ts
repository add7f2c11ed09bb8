/** What goes on while a tool, as the command line, looks at an application: nothing is served. */
export interface Inspection {
  /** The generators that were made. */
  readonly generators: object[]
  /** The start-up checks ask the database and the storage, as they do in a service. */
  readonly checksStorage: boolean
  /** Takes what the start says, instead of the application's log. */
  tell(kind: 'info' | 'warning', line: string): void
}

// The application may have another copy of this package than the tool that looks at it.
const place = Symbol.for('modelrest.inspection')

/** `undefined`: nobody looks, as in every service. */
export const inspection = (): Inspection | undefined => Reflect.get(globalThis, place)

/** Looks at every generator that this process makes from now on. */
export const inspect = (looking: Inspection): void => {
  Reflect.set(globalThis, place, looking)
}
