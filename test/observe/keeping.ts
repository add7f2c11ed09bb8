import type {
  Observer,
  OperationBegun,
  OperationEnded,
  StatementBegun,
  StatementEnded,
} from '../../src/index.ts'

/** What an observer was told of one operation or statement. */
export type Told =
  | { readonly what: 'operation'; readonly begun: OperationBegun; readonly ended: OperationEnded }
  | { readonly what: 'statement'; readonly begun: StatementBegun; readonly ended: StatementEnded }

/** An observer that keeps what it is told, in the order in which it ended. */
export const keeping = (): { readonly observer: Observer; readonly told: Told[] } => {
  const told: Told[] = []
  return {
    told,
    observer: {
      operation: (begun) => ({ end: (ended) => told.push({ what: 'operation', begun, ended }) }),
      statement: (begun) => ({ end: (ended) => told.push({ what: 'statement', begun, ended }) }),
    },
  }
}

/** All that can be read of it, in one text, without the time, whose digits may be any. */
export const everything = ({ what, begun, ended }: Told): string =>
  JSON.stringify(
    what === 'operation'
      ? [begun.operationId, begun.model, begun.method, begun.route, begun.scheme, { ...ended, seconds: 0 }]
      : [
          { ...begun, within: begun.within?.operationId },
          { ...ended, seconds: 0 },
        ],
  )

/** It in one line. */
export const shown = ({ what, begun, ended }: Told): string =>
  what === 'operation'
    ? line(begun.operationId, begun.method, begun.route, begun.model, ended.status, ended.code)
    : line(
        `  ${begun.operation}`,
        begun.table,
        begun.model,
        'in',
        begun.within?.operationId,
        ended.error,
        ended.code,
      )

const line = (...parts: readonly (string | number | undefined)[]): string =>
  parts.map((part) => part ?? '-').join(' ')
