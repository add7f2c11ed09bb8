import { describe, expect, it } from 'vitest'
import { onPostgres } from '../servers/test-database.ts'
import { postgresStage } from './postgres-stage.ts'
import { postgresDrivers } from './postgres-things.ts'

/** Triggers, and a foreign key, that the models do not know. */
const triggers = `
  create table counts (id int primary key);
  insert into counts values (0), (1);
  alter table things add foreign key (times) references counts (id);
  create function decide() returns trigger language plpgsql as $$ begin
    if new.name = 'custom' then raise exception 'No.' using errcode = '45000'; end if;
    if new.name = 'own' then raise exception 'No.' using errcode = 'MR001'; end if;
    if new.name = 'ignored' then return null; end if;
    return new;
  end $$;
  create trigger decides before insert or update on things for each row execute function decide();
  create function keep() returns trigger language plpgsql as $$ begin
    if old.name = 'kept' then return null; end if;
    return old;
  end $$;
  create trigger keeps before delete on things for each row execute function keep()`

onPostgres('what the database decides by itself on PostgreSQL', () => {
  const stage = postgresStage('triggers', ['a', 'kept'], triggers)

  describe.each(postgresDrivers)('with %s', (driver) => {
    it('is a conflict where it ignores a write', async () => {
      const { send } = await stage.serve(driver, {})
      const ignored = { status: 409, code: 'conflict' }
      expect(await send('POST', '/things', { name: 'ignored' })).toMatchObject(ignored)
      expect(await send('PATCH', '/things/1', { name: 'ignored' })).toMatchObject(ignored)
      expect(await send('DELETE', '/things/2')).toMatchObject(ignored)
      expect(await send('PATCH', '/things/9', { name: 'ignored' })).toMatchObject({ status: 404 })
      expect(await stage.names()).toEqual(['a', 'kept'])
    })

    it('is a conflict in a transaction too', async () => {
      const { send } = await stage.serve(driver, {}, { afterCreate: () => {}, afterUpdate: () => {} })
      expect(await send('POST', '/things', { name: 'ignored' })).toMatchObject({ status: 409 })
      expect(await send('PATCH', '/things/1', { name: 'ignored' })).toMatchObject({ status: 409 })
      expect(await stage.names()).toEqual(['a', 'kept'])
    })

    it.each(['custom', 'own'])('is a refused body where a trigger raises a code (%s)', async (name) => {
      const { send } = await stage.serve(driver, {})
      expect(await send('POST', '/things', { name })).toMatchObject({ status: 422, code: 'invalid_body' })
      expect(await send('PATCH', '/things/1', { name })).toMatchObject({ status: 422, code: 'invalid_body' })
    })

    it('is a refused body where it alone knows a foreign key', async () => {
      const { send } = await stage.serve(driver, {})
      expect(await send('POST', '/things', { name: 'x', times: 9 })).toMatchObject({ status: 422 })
      expect(await send('PATCH', '/things/1', { times: 9 })).toMatchObject({
        status: 422,
        code: 'invalid_body',
      })
      expect((await send('PATCH', '/things/1', { times: 1 })).status).toBe(200)
    })
  })
})
