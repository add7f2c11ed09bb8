import type { Condition } from '../../query/ast.ts'
import type { BoundTable } from './bound-table.ts'
import { listParameter } from './list-parameter.ts'
import { tieOf } from './ties.ts'

/**
 * The structure of a condition as a short text, its values taken out. They are added to `values` as the driver takes
 * them, in the order in which `conditionSql` asks for slots.
 */
export const conditionShape = (table: BoundTable, condition: Condition, values: unknown[]): string => {
  switch (condition.op) {
    case 'and':
    case 'or': {
      const tie = tieOf(condition)
      if (tie !== undefined) {
        const { place, encodeCompared } = table.fieldOf(tie.field)
        values.push(encodeCompared(tie.value))
        return `tie${place}(${conditionShape(table, tie.rest, values)})`
      }
      let shape = condition.op
      for (const inner of condition.conditions) shape += `(${conditionShape(table, inner, values)})`
      return shape
    }
    case 'not':
      return `not(${conditionShape(table, condition.condition, values)})`
    case 'related': {
      const { place, target } = table.relationOf(condition.relation)
      return `related${place}(${conditionShape(target, condition.condition, values)})`
    }
    case 'is-null':
    case 'is-not-null':
      return condition.op + table.fieldOf(condition.field).place
    case 'in': {
      const bound = table.fieldOf(condition.field)
      const asOne = listParameter(table, bound, condition.values)
      if (asOne !== undefined) {
        values.push(asOne)
        return `any${bound.place}`
      }
      for (const value of condition.values) values.push(bound.encodeCompared(value))
      return `in${bound.place}:${condition.values.length}`
    }
    default: {
      const { place, encodeCompared } = table.fieldOf(condition.field)
      const { value } = condition
      if (condition.op === 'contains') {
        const { way, parameter } = table.dialect.contains(String(value))
        values.push(parameter)
        return `contains${way}${place}`
      }
      values.push(encodeCompared(value))
      return condition.op + place
    }
  }
}
