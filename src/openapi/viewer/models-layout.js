// Where the boxes of models and the lines between them are drawn.

const CHARACTER = 7.3
export const ROW = 20
export const HEAD = 30
const GAP = { column: 70, row: 18, edge: 12 }

/** The models of a document, with those that they refer to. A model without operations has no tag, and thus no box. */
export const modelsIn = (tags) => {
  const models = tags.filter((tag) => Array.isArray(tag['x-references']))
  const names = new Set(models.map(({ name }) => name))
  return models.map(({ name, 'x-references': references }) => ({
    name,
    references: references.filter(({ model }) => names.has(model)),
  }))
}

/** A model, those that it refers to, and those that refer to it. */
export const around = (models, name) => {
  const own = models.find((model) => model.name === name)
  const near = new Set([name, ...own.references.map(({ model }) => model)])
  return models
    .filter(
      ({ name: other, references }) => near.has(other) || references.some(({ model }) => model === name),
    )
    .map((model) => ({
      ...model,
      references: model.references.filter((to) => model.name === name || to.model === name),
    }))
}

/** Models by the number of references that lead from them to one without any. A cycle is cut where it is met. */
const columnsOf = (models) => {
  const byName = new Map(models.map((model) => [model.name, model]))
  const depths = new Map()
  const depthOf = (name) => {
    if (depths.has(name)) return depths.get(name)
    depths.set(name, 0)
    const targets = byName.get(name).references.filter(({ model }) => model !== name && byName.has(model))
    depths.set(name, Math.max(0, ...targets.map(({ model }) => depthOf(model) + 1)))
    return depths.get(name)
  }
  return [...Map.groupBy(models, ({ name }) => depthOf(name))]
    .toSorted(([one], [other]) => one - other)
    .map(([, column]) => column)
}

const average = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length

/**
 * The names on the way of each reference, from a model to the one that it refers to. A line that passes columns has a place in each,
 * so that no box hides it.
 */
const waysIn = (columns) => {
  const columnOf = new Map(columns.flatMap((column, at) => column.map(({ name }) => [name, at])))
  return columns.flat().flatMap(({ name, references }) =>
    references.map(({ model }, row) => {
      const length = Math.max(0, columnOf.get(name) - columnOf.get(model) - 1)
      const passed = Array.from({ length }, (_, at) => columnOf.get(name) - 1 - at)
      return {
        names: [name, ...passed.map((column) => `${name} ${row} ${column}`), model],
        passages: passed.map((column) => ({ column, name: `${name} ${row} ${column}` })),
      }
    }),
  )
}

/** Each column in the order of what it is connected with, so that few lines cross. */
const ordered = (columns, ways) => {
  const sorted = columns.map((column) => [...column])
  for (const { column, name } of ways.flatMap(({ passages }) => passages))
    sorted[column].push({ name, isPassage: true, references: [] })
  const neighbours = new Map(sorted.flat().map(({ name }) => [name, []]))
  for (const { names } of ways)
    for (const [at, name] of names.slice(1).entries()) {
      neighbours.get(name).push(names[at])
      neighbours.get(names[at]).push(name)
    }
  const places = new Map()
  const place = (column) => {
    column.forEach(({ name }, at) => {
      places.set(name, at / column.length)
    })
  }
  sorted.forEach(place)
  const weigh = ({ name }) => average([name, ...neighbours.get(name)].map((other) => places.get(other)))
  for (const column of [...sorted, ...sorted.toReversed(), ...sorted]) {
    column.sort((one, other) => weigh(one) - weigh(other))
    place(column)
  }
  return sorted
}

const isAloneIn =
  (models) =>
  ({ name, references }) =>
    references.length === 0 && !models.some((other) => other.references.some(({ model }) => model === name))

const sizeOf = ({ name, references, isPassage = false }) => {
  if (isPassage) return { isPassage, rows: [], width: 0, height: 2 }
  const rows = references.map(({ fields }) => fields.join(', '))
  const longest = Math.max(...[name, ...rows].map(({ length }) => length))
  return { rows, width: Math.ceil(longest * CHARACTER) + 24, height: HEAD + rows.length * ROW }
}

/** The box of each model, the lines between them, and the size of the picture. */
export const layout = (models) => {
  const isAlone = isAloneIn(models)
  const connected = columnsOf(models.filter((model) => !isAlone(model)))
  const ways = waysIn(connected)
  const columns = ordered(connected, ways)
  // Those without a reference fill columns of their own.
  const alone = models.filter(isAlone)
  const most = Math.max(4, ...connected.map((column) => column.length))
  for (let at = 0; at < alone.length; at += most) columns.push(alone.slice(at, at + most))
  const boxes = new Map()
  let left = GAP.edge
  let bottom = 0
  for (const column of columns) {
    const sizes = column.map(sizeOf)
    const width = Math.max(...sizes.map((size) => size.width))
    let top = GAP.edge
    column.forEach(({ name }, at) => {
      boxes.set(name, { name, ...sizes[at], left, top, width })
      top += sizes[at].height + GAP.row
    })
    bottom = Math.max(bottom, top)
    left += width + GAP.column
  }
  const rowsDrawn = new Map()
  const lines = ways.map(({ names }) => {
    const [from] = names
    const row = rowsDrawn.get(from) ?? 0
    rowsDrawn.set(from, row + 1)
    return {
      from,
      row,
      to: names.at(-1),
      path: pathOf(
        names.map((name) => boxes.get(name)),
        row,
      ),
    }
  })
  return {
    boxes: [...boxes.values()].filter(({ isPassage }) => !isPassage),
    lines,
    width: left - GAP.column + GAP.edge,
    height: bottom,
  }
}

/** From the row of a reference to the head of the model that it refers to, through the passages between them. */
const pathOf = ([box, ...others], row) => {
  const from = box.top + HEAD + row * ROW + ROW / 2 - 4
  const target = others.at(-1)
  if (target.left >= box.left) {
    const [right, end, to] = [box.left + box.width, target.left + target.width, target.top + HEAD / 2]
    const bend = Math.max(right, end) + GAP.column / 2
    return `M${right},${from} C${bend},${from} ${bend},${to} ${end},${to}`
  }
  let path = `M${box.left},${from}`
  let [x, y] = [box.left, from]
  for (const { left, top, width, isPassage } of others) {
    const [end, to] = [left + width, top + (isPassage ? 0 : HEAD / 2)]
    const middle = (x + end) / 2
    path += ` C${middle},${y} ${middle},${to} ${end},${to}`
    if (isPassage) path += ` L${left},${to}`
    x = left
    y = to
  }
  return path
}
