import { servedMethods } from '../operation/methods.ts'
import type { Operation } from '../operation/operation.ts'
import { decodePath, type ParamReader, parameterName, paramReader, segmentsOf } from './paths.ts'
import type { Serve } from './serve.ts'

export interface Route {
  readonly operation: Operation
  readonly serve: Serve
}

export interface PathEntry {
  readonly readParams: ParamReader
  readonly methods: Map<string, Route>
}

/** A value for each method that operations of one path serve. */
export const perMethod = <T>(
  operations: readonly Operation[],
  make: (operation: Operation) => T,
): ReadonlyMap<string, T> =>
  new Map(
    operations.flatMap((operation) => {
      const value = make(operation)
      return servedMethods(operation).map((method) => [method, value] as const)
    }),
  )

/** The paths of an application. Fixed segments take precedence over parameters; one trailing slash is ignored. */
interface PathTable {
  add(route: Route): void
  isEmpty(): boolean
  /** @param path without the base, still percent-encoded */
  find(path: string): PathEntry | undefined
}

/** Paths with parameters in the same positions, distinguished by their fixed segments. */
interface PathShape {
  readonly isFixed: readonly boolean[]
  readonly places: Map<string, PathEntry>
}

/**
 * Creates an empty table. Finding a path takes one lookup per shape with that many segments, of which there are few.
 *
 * @param literal whether fixed segments match only in the form that `encodeURI` gives them
 */
export const pathTable = (literal = false): PathTable => {
  const shapesByLength = new Map<number, PathShape[]>()
  return {
    add: (route) => {
      const place = placeFor(shapesByLength, route.operation.path, literal)
      for (const method of servedMethods(route.operation)) place.methods.set(method, route)
    },
    isEmpty: () => shapesByLength.size === 0,
    find: (path) => {
      const segments = segmentsOf(literal ? path : decodePath(path))
      for (const { isFixed, places } of shapesByLength.get(segments.length) ?? []) {
        const place = places.get(keyOf(segments, isFixed))
        if (place !== undefined) return place
      }
      return undefined
    },
  }
}

const placeFor = (
  shapesByLength: Map<number, PathShape[]>,
  template: string,
  literal: boolean,
): PathEntry => {
  const segments = segmentsOf(template)
  const shapes = shapesByLength.get(segments.length) ?? []
  shapesByLength.set(segments.length, shapes)
  const isFixed = segments.map((segment) => parameterName(segment) === undefined)
  let shape = shapes.find((known) => String(known.isFixed) === String(isFixed))
  if (shape === undefined) {
    shape = { isFixed, places: new Map() }
    shapes.push(shape)
    // `true` sorts after `false`: paths with an earlier fixed segment come first.
    shapes.sort((a, b) => (String(a.isFixed) < String(b.isFixed) ? 1 : -1))
  }
  const key = keyOf(literal ? segments.map(encodeURI) : segments, isFixed)
  const place = shape.places.get(key) ?? { readParams: paramReader(template), methods: new Map() }
  shape.places.set(key, place)
  return place
}

const keyOf = (segments: readonly string[], isFixed: readonly boolean[]): string =>
  segments.map((segment, at) => (isFixed[at] === true ? segment : '')).join('/')
