/**
 * A session of the same kind over one connection. Those of node-postgres, of what is made like it, and of mysql2 are all
 * made of the same four.
 */
export const sessionOver = <Session extends object>(session: Session, connection: object): Session => {
  const [dialect, schema, options] = ['dialect', 'schema', 'options'].map((name) =>
    Reflect.get(session, name),
  )
  return Reflect.construct(session.constructor, [connection, dialect, schema, options])
}
