import type { ModelRest } from '../../model-rest.ts'
import type { ProjectPlace } from './place.ts'
import type { UnreadableReason } from './unreadable-module.ts'

/** What a project can be asked, each with what is given and what comes back. */
export interface Questions {
  readonly openapi: { readonly given: undefined; readonly answer: ReturnType<ModelRest['openapi']> }
  readonly check: { readonly given: undefined; readonly answer: undefined }
  readonly cleanFiles: {
    readonly given: Parameters<ModelRest['cleanFiles']>[0]
    readonly answer: Awaited<ReturnType<ModelRest['cleanFiles']>>
  }
}

export type QuestionName = keyof Questions

/** What is sent to the process that loads the project. */
export interface Question<Name extends QuestionName = QuestionName> {
  readonly place: ProjectPlace
  readonly name: Name
  readonly given: Questions[Name]['given']
}

/** What the start of the application said. */
export interface Said {
  readonly kind: 'info' | 'warning'
  readonly line: string
}

/** What comes back, once. */
export type Reply =
  | { readonly kind: 'answer'; readonly answer: unknown; readonly said: readonly Said[] }
  | {
      readonly kind: 'failed'
      /**
       * `usage`: a name of the command line is wrong. `syntax`: Node cannot read the module, but a loader may.
       * `package`: a package is not there, unless it is a path that a loader knows. `commonjs`: an ES module is read as
       * CommonJS, which a loader may do.
       */
      readonly reason: 'usage' | 'failure' | UnreadableReason
      readonly message: string
      /** What it said before it failed. */
      readonly said: readonly Said[]
    }

/** What the process says that loads the project. Others in it may talk, too: loaders, and whatever looks after processes. */
export interface Told {
  readonly modelrestReply: Reply
}

/** Whether something that a process said is its reply. */
export const isTold = (message: unknown): message is Told => Object.hasOwn(Object(message), 'modelrestReply')
