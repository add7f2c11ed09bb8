// Draws the models and their references.

import { around, HEAD, layout, modelsIn, ROW } from './models-layout.js'

/** Above this number, only a model and its neighbours fit on a screen. */
const MOST = 40

/** Unfolds the operations of a model, and scrolls to them. */
const open = (name) => {
  const head = document.getElementById(`operations-tag-${name}`)
  if (head?.dataset.isOpen === 'false') head.click()
  head?.scrollIntoView({ behavior: 'smooth' })
}

const picture = (React) => {
  const create = React.createElement
  const line = ({ from, row, to, path }) =>
    create(
      'path',
      { key: `${from} ${row}`, className: 'models-line', d: path, markerEnd: 'url(#models-end)' },
      create('title', null, `${from} refers to ${to}`),
    )
  const shown = (box, chosen) =>
    create(
      'a',
      {
        key: box.name,
        href: `#/${box.name}`,
        className: box.name === chosen ? 'models-box models-chosen' : 'models-box',
        onClick: (event) => {
          event.preventDefault()
          open(box.name)
        },
      },
      create('title', null, `To the operations of ${box.name}`),
      create('rect', { x: box.left, y: box.top, width: box.width, height: box.height, rx: 4 }),
      create('text', { className: 'models-name', x: box.left + 12, y: box.top + 20 }, box.name),
      box.rows.map((row, at) =>
        create('text', { key: row, x: box.left + 12, y: box.top + HEAD + at * ROW + 10 }, row),
      ),
    )
  return ({ models }) => {
    const isSmall = models.length <= MOST
    const busiest = () =>
      models.toSorted((one, other) => around(models, other.name).length - around(models, one.name).length)[0]
        .name
    const [chosen, choose] = React.useState(() => (isSmall ? '' : busiest()))
    const { boxes, lines, width, height } = layout(chosen === '' ? models : around(models, chosen))
    const names = models.map(({ name }) => name).toSorted()
    return create(
      React.Fragment,
      null,
      create(
        'label',
        null,
        'Show ',
        create(
          'select',
          { value: chosen, onChange: ({ target }) => choose(target.value) },
          isSmall ? create('option', { value: '' }, 'all models') : null,
          names.map((name) =>
            create('option', { key: name, value: name }, isSmall ? `${name} and its neighbors` : name),
          ),
        ),
      ),
      create(
        'div',
        { className: 'models-picture' },
        create(
          'svg',
          {
            width,
            height,
            viewBox: `0 0 ${width} ${height}`,
            role: 'group',
            'aria-label': 'Models and their references',
          },
          create(
            'defs',
            null,
            create(
              'marker',
              {
                id: 'models-end',
                viewBox: '0 0 8 8',
                refX: 7,
                refY: 4,
                markerWidth: 8,
                markerHeight: 8,
                orient: 'auto',
              },
              create('path', { d: 'M0,0 L8,4 L0,8 z' }),
            ),
          ),
          lines.map(line),
          boxes.map((box) => shown(box, chosen)),
        ),
      ),
    )
  }
}

/** Folded below the description of the API, and drawn once it is opened. */
export const modelPicture = () => ({
  wrapComponents: {
    InfoContainer: (Original, { React, specSelectors }) => {
      const create = React.createElement
      const Picture = picture(React)
      const Models = ({ models }) => {
        const [isOpen, setOpen] = React.useState(false)
        return create(
          'details',
          { className: 'wrapper models', onToggle: ({ target }) => setOpen(target.open) },
          create('summary', null, `Models (${models.length})`),
          isOpen ? create(Picture, { models }) : null,
        )
      }
      return (props) => {
        const models = modelsIn(specSelectors.specJson().get('tags')?.toJS() ?? [])
        return create(
          React.Fragment,
          null,
          create(Original, props),
          models.length > 1 ? create(Models, { models }) : null,
        )
      }
    },
  },
})
