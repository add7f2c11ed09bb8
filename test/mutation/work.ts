/** What a test file is run for, once: tests with a fault, or all without one. */
export interface Job {
  /** The number of the fault that is switched on. Absent: none is. */
  readonly fault?: number
  /** Full names of the tests that run. Absent: all of the file. */
  readonly tests?: readonly string[]
  /** The source and what the tests share are loaded anew for it, with the fault. */
  readonly isFresh?: boolean
  /** Notes which faults each test would meet. */
  readonly isDry?: boolean
}

/** The jobs of test files, whose paths are below the folder of the project. */
export type Work = ReadonlyMap<string, readonly Job[]>

/** Which faults a test meets: their numbers. */
export interface Meeting {
  readonly milliseconds: number
  readonly faults: readonly number[]
}

/** What became of a job. */
export interface Outcome {
  /** Full names of the tests that failed. With a fault, the others are left out after the first. */
  readonly failed: readonly string[]
  readonly passed: readonly string[]
  /** Why the file could not be loaded, or what its hooks threw. */
  readonly broken?: string
  readonly milliseconds: number
  /** Of a dry run: what each test meets, and under no name what the file meets before its tests. */
  readonly met?: Readonly<Record<string, Meeting>>
}

declare module 'vitest' {
  interface ProvidedContext {
    /** By path. */
    jobs: Readonly<Record<string, readonly Job[]>>
  }
  interface TaskMeta {
    /** The number of the job among those of its file. */
    job?: number
    /** Of a file, in the order of its jobs. */
    outcomes?: readonly Outcome[]
  }
}

declare global {
  /** Asked by each switch. `both` are the value of the source and that of the fault, if they can be read without a difference. */
  var isPlanted: ((fault: number, both?: () => readonly [unknown, unknown]) => boolean) | undefined
}
