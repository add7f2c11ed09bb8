import type { Need } from '../programs.ts'

/** A client whose program is run against the service. Its folder here holds the program and what it is built with. */
export interface Client {
  /** As `generate-client` takes it. */
  readonly language: string
  /** What is given to the generator beside what `generate-client` gives it. */
  readonly properties?: readonly string[]
  /** Programs of the system. */
  readonly needs: readonly Need[]
  /** Lines for a shell, in a folder with the program and the generated client in `client`. */
  readonly build: readonly string[]
  /** The line that runs the program: it gets the URL of the API and an image in base64. */
  readonly run: string
}

const npm = ['npm install --no-package-lock --loglevel=error', 'npx --no-install tsc']

const java = [
  // The client's own tests and pages are nothing that a program needs.
  'mvn --batch-mode --no-transfer-progress --quiet package -Dmaven.test.skip -Dmaven.javadoc.skip -Dmaven.source.skip',
]

export const clients: readonly Client[] = [
  {
    language: 'typescript-fetch',
    needs: [],
    build: npm,
    run: 'node built/program.js',
  },
  {
    language: 'typescript-axios',
    // For a program that Node runs as ES modules, without a bundler.
    properties: ['importFileExtension=.js'],
    needs: [],
    build: npm,
    run: 'node built/program.js',
  },
  {
    language: 'python',
    needs: ['python3'],
    build: ['python3 -m pip install --quiet --target installed ./client'],
    run: 'PYTHONPATH=installed python3 program.py',
  },
  {
    language: 'java',
    needs: ['mvn'],
    build: java,
    run: "java -cp 'program/target/program-1.jar:program/target/lib/*' Program",
  },
  {
    language: 'go',
    needs: ['go'],
    build: ['GOFLAGS=-mod=mod go build -o built .'],
    run: './built',
  },
]
