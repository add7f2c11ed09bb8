/** What a client is generated with. Names of generators are those of the OpenAPI generator. */
export type Recipe =
  | { readonly tool: 'openapi-typescript' }
  | {
      readonly tool: 'openapi-generator'
      readonly generator: string
      /** Without them the client breaks with documents of modelrest. `--property` goes before them. */
      readonly properties?: Readonly<Record<string, string>>
    }

export interface Language {
  readonly makes: string
  readonly recipe: Recipe
}

const generated = (
  makes: string,
  generator: string,
  properties: Readonly<Record<string, string>> = {},
): Language => ({
  makes,
  recipe: { tool: 'openapi-generator', generator, properties },
})

/** The languages by the names that they have on the command line, in the order of the list. */
export const languages: Readonly<Record<string, Language>> = {
  'typescript-types': { makes: 'TypeScript types alone', recipe: { tool: 'openapi-typescript' } },
  'typescript-axios': generated('TypeScript on axios', 'typescript-axios'),
  'typescript-fetch': generated('TypeScript on fetch', 'typescript-fetch'),
  'typescript-angular': generated('TypeScript for Angular', 'typescript-angular'),
  javascript: generated('JavaScript on superagent', 'javascript'),
  dart: generated('Dart on http', 'dart'),
  'dart-dio': generated('Dart on dio', 'dart-dio'),
  python: generated('Python on urllib3', 'python'),
  // Without it a PATCH empties every list that the caller did not name.
  java: generated('Java on OkHttp', 'java', { containerDefaultToNull: 'true' }),
  kotlin: generated('Kotlin on OkHttp', 'kotlin'),
  // Without the first the client refuses members that a schema does not name, even if it allows others, as the schemas
  // of the application's own routes; without the second two enums with a word in common do not compile.
  go: generated('Go', 'go', {
    disallowAdditionalPropertiesIfNotPresent: 'false',
    enumClassPrefix: 'true',
  }),
  csharp: generated('C#', 'csharp'),
  ruby: generated('Ruby on Typhoeus', 'ruby'),
  swift5: generated('Swift 5', 'swift5'),
  swift6: generated('Swift 6', 'swift6'),
  rust: generated('Rust on reqwest', 'rust'),
  php: generated('PHP on Guzzle', 'php'),
  elixir: generated('Elixir on Tesla', 'elixir'),
  perl: generated('Perl', 'perl'),
  powershell: generated('PowerShell', 'powershell'),
  r: generated('R', 'r'),
}

export const needs: Readonly<Record<Recipe['tool'], string>> = {
  'openapi-typescript': 'npx (or pnpm, yarn 2, bunx)',
  'openapi-generator': 'openapi-generator and Java 11 or later',
}

/** A program that generates clients, found and ready. */
export interface Tool {
  /** `openapi-generator 7.26.0`, for progress. */
  readonly title: string
  /** @returns its version. @throws Failure with the program's own message */
  generate(generation: Generation): Promise<string>
}

/** What a tool is given to generate. Paths are absolute. */
interface Generation {
  readonly document: string
  /** The folder to fill. It is there. */
  readonly folder: string
  readonly onLine: (line: string) => void
}

export interface ToolSearch {
  readonly folder: string
  /** A folder for what the tool needs on its way. It is removed afterwards. */
  readonly temporary: string
  readonly properties: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}
