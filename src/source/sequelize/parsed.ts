import { isSameJson } from '../../model/kinds/json.ts'
import { isPlainObject, ownValue } from '../../model/objects.ts'
import { converted } from '../sql/conversions.ts'
import type { TypeFacts } from '../sql/types.ts'
import { type Attribute, typeKeyOf } from './values.ts'

/** Whether Sequelize and the database can take a value, which Sequelize would make SQL of without a check. */
type AttributeCheck = (value: unknown, attribute: Attribute) => boolean

/** Numbers and times. */
const isBound = (value: unknown): boolean =>
  value === null || typeof value === 'number' || (typeof value === 'string' && /^[\w.:+ -]+$/.test(value))

const isRange: AttributeCheck = (value) =>
  Array.isArray(value) &&
  [0, 2].includes(value.length) &&
  value.every((bound: unknown) => {
    if (!isPlainObject(bound)) return isBound(bound)
    const { value: own, inclusive = false, ...others } = bound
    return isBound(own) && typeof inclusive === 'boolean' && Object.keys(others).length === 0
  })

type Coordinates = (value: unknown) => boolean

const isPosition: Coordinates = (value) =>
  Array.isArray(value) && value.length >= 2 && value.length <= 4 && value.every(Number.isFinite)

const listOf =
  (part: Coordinates, least = 1): Coordinates =>
  (value) =>
    Array.isArray(value) && value.length >= least && value.every(part)

const isLine = listOf(isPosition, 2)

const isRing: Coordinates = (value) =>
  Array.isArray(value) && value.length >= 4 && isLine(value) && isSameJson(value[0], value.at(-1))

/** MariaDB stores null for others. */
const coordinatesOf: Readonly<Record<string, Coordinates>> = {
  ...{
    Point: isPosition,
    MultiPoint: listOf(isPosition),
    LineString: isLine,
    MultiLineString: listOf(isLine),
  },
  ...{ Polygon: listOf(isRing), MultiPolygon: listOf(listOf(isRing)) },
}

const isGeometry = (value: unknown): boolean => {
  if (!isPlainObject(value)) return false
  const { type, coordinates, geometries } = value
  if (type === 'GeometryCollection') return listOf(isGeometry)(geometries)
  return ownValue(coordinatesOf, String(type))?.(coordinates) === true
}

const isGeometryOf: AttributeCheck = (value, { type }) => {
  const declared: unknown = Reflect.get(Object(type), 'type')
  const isOfType =
    !declared || String(declared).toUpperCase() === String(Reflect.get(Object(value), 'type')).toUpperCase()
  return isGeometry(value) && (isOfType || String(declared).toUpperCase() === 'GEOMETRY')
}

const checks: Readonly<Record<string, AttributeCheck>> = {
  ...{ RANGE: isRange, GEOMETRY: isGeometryOf, GEOGRAPHY: isGeometryOf },
}

/** The facts of a type whose values Sequelize parses into arrays and objects. `undefined`: it is another one. */
export const parsedFacts = (attribute: Pick<Attribute, 'type'>): TypeFacts | undefined =>
  Object.hasOwn(checks, typeKeyOf(attribute)) ? converted : undefined

/** Whether a value is one of such a type. `undefined`: it is another type. */
export const isParsedValue = (value: unknown, attribute: Attribute): boolean | undefined =>
  ownValue(checks, typeKeyOf(attribute))?.(value, attribute)
