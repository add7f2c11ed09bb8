/** What a tool is given to generate. Paths are absolute. */
export interface Generation {
  /** The OpenAPI document. */
  readonly document: string
  /** The folder to fill. It is there. */
  readonly folder: string
  /** A folder for what the tool needs on its way. It is removed afterwards. */
  readonly workspace: string
  /** Each line that the tool says. */
  readonly onLine: (line: string) => void
}

/** A program that generates clients, found and ready. */
export interface Tool {
  /** `openapi-generator 7.26.0`, for progress. */
  readonly title: string
  /** @returns its version. @throws Failure with the program's own message */
  generate(generation: Generation): Promise<string>
}

/** What a tool is found with. */
export interface ToolSearch {
  /** The working folder. */
  readonly folder: string
  /** A folder for what the search needs on its way. */
  readonly workspace: string
  /** Properties that the command line gives, by name. */
  readonly properties: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}
