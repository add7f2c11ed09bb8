/** The JSON Schema of a page, as a route written by hand gives it to Fastify. */
export const pageOf = <Item extends object>(item: Item) =>
  ({
    type: 'object',
    properties: {
      items: { type: 'array', items: item },
      count: { type: 'integer', nullable: true },
      count_exact: { type: 'boolean' },
    },
  }) as const
