export interface Language {
  readonly makes: string
  readonly tool: 'openapi-typescript' | 'openapi-generator'
  /** Properties that documents of modelrest require. `--property` takes precedence. */
  readonly properties?: Readonly<Record<string, string>>
}

const generated = (makes: string, properties: Readonly<Record<string, string>> = {}): Language => ({
  makes,
  tool: 'openapi-generator',
  properties,
})

/** Keyed by the names on the command line and in OpenAPI Generator, in the order of the list. */
export const languages: Readonly<Record<string, Language>> = {
  'typescript-types': {
    makes: 'TypeScript types only',
    tool: 'openapi-typescript',
    // Otherwise a body must have the fields that have a default.
    properties: { 'default-non-nullable': 'false' },
  },
  'typescript-axios': generated('TypeScript with axios'),
  'typescript-fetch': generated('TypeScript with fetch'),
  'typescript-angular': generated('TypeScript for Angular'),
  javascript: generated('JavaScript with superagent'),
  dart: generated('Dart with http'),
  'dart-dio': generated('Dart with dio'),
  python: generated('Python with urllib3'),
  // Without it, a PATCH empties every list that the caller did not set.
  java: generated('Java with OkHttp', { containerDefaultToNull: 'true' }),
  kotlin: generated('Kotlin with OkHttp'),
  // Without the first, the client rejects properties that a schema allows but does not list, for example in the
  // application's own routes. Without the second, two enums with a common value do not compile.
  go: generated('Go', {
    disallowAdditionalPropertiesIfNotPresent: 'false',
    enumClassPrefix: 'true',
  }),
  csharp: generated('C#'),
  ruby: generated('Ruby with Typhoeus'),
  swift5: generated('Swift 5'),
  swift6: generated('Swift 6'),
  rust: generated('Rust with reqwest'),
  php: generated('PHP with Guzzle'),
  elixir: generated('Elixir with Tesla'),
  perl: generated('Perl'),
  powershell: generated('PowerShell'),
  r: generated('R'),
}

export const needs: Readonly<Record<Language['tool'], string>> = {
  'openapi-typescript': 'npx (or pnpm, yarn 2, bunx)',
  'openapi-generator': 'openapi-generator and Java 11 or later',
}

export interface Tool {
  readonly title: string
  /** @returns the version of the generator. @throws Failure with the message of the program */
  generate(given: {
    readonly document: string
    /** The existing folder to write to. */
    readonly folder: string
    readonly onLine: (line: string) => void
  }): Promise<string>
}

export interface ToolSearch {
  readonly folder: string
  /** A folder for intermediate files, which is removed afterwards. */
  readonly temporary: string
  readonly properties: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}
