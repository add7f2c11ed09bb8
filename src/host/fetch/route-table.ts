import type { Operation } from '../../operation/operation.ts'
import { decodePath, nameOf, type ParamReader, paramReader, segmentsOf } from '../raw-path.ts'
import { toAllow } from '../refusals.ts'
import type { Serve } from '../serve.ts'

/** One operation at its path. */
export interface Route {
  readonly operation: Operation
  readonly serve: Serve
}

/** A known path, and what it answers by method. */
export interface Place {
  readonly readParams: ParamReader
  readonly methods: Map<string, Route>
  allow: string
}

/** The paths of an application. A fixed segment goes before a parameter; one slash at the end does not count. */
export interface RouteTable {
  add(route: Route): void
  isEmpty(): boolean
  /** The path is below the base, still percent-encoded. */
  find(path: string): Place | undefined
}

/** Paths with parameters in the same places: their fixed segments tell them apart. */
interface Shape {
  readonly isFixed: readonly boolean[]
  readonly places: Map<string, Place>
}

/** Makes an empty table. Finding takes one lookup for each shape of that many segments, of which there are few. */
export const routeTable = (): RouteTable => {
  const shapesByLength = new Map<number, Shape[]>()
  return {
    add: (route) => {
      const { path, method } = route.operation
      const place = placeFor(shapesByLength, path)
      place.methods.set(method, route)
      if (method === 'GET') place.methods.set('HEAD', route)
      place.allow = toAllow(place.methods.keys())
    },
    isEmpty: () => shapesByLength.size === 0,
    find: (path) => {
      const segments = segmentsOf(decodePath(path))
      for (const { isFixed, places } of shapesByLength.get(segments.length) ?? []) {
        const place = places.get(keyOf(segments, isFixed))
        if (place !== undefined) return place
      }
      return undefined
    },
  }
}

const placeFor = (shapesByLength: Map<number, Shape[]>, template: string): Place => {
  const segments = segmentsOf(template)
  const shapes = shapesByLength.get(segments.length) ?? []
  shapesByLength.set(segments.length, shapes)
  const isFixed = segments.map((segment) => nameOf(segment) === undefined)
  let shape = shapes.find((known) => String(known.isFixed) === String(isFixed))
  if (shape === undefined) {
    shape = { isFixed, places: new Map() }
    shapes.push(shape)
    // `true` sorts after `false`, and a path with a fixed segment earlier goes first.
    shapes.sort((a, b) => (String(a.isFixed) < String(b.isFixed) ? 1 : -1))
  }
  const key = keyOf(segments, isFixed)
  const place = shape.places.get(key) ?? {
    readParams: paramReader(template),
    methods: new Map(),
    allow: '',
  }
  shape.places.set(key, place)
  return place
}

const keyOf = (segments: readonly string[], isFixed: readonly boolean[]): string =>
  segments.map((segment, at) => (isFixed[at] === true ? segment : '')).join('/')
