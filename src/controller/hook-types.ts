import type { ModelName } from '../model/register.ts'
import type { HookName, Hooks } from './hooks.ts'

/** One hook by itself, as a static property of a class has it. */
type Hook<Which extends HookName, Name extends ModelName, Request> = NonNullable<Hooks<Name, Request>[Which]>

/** Runs before a list is read. It may return another query. */
export type BeforeList<Name extends ModelName, Request = unknown> = Hook<'beforeList', Name, Request>

/** Runs on the records of a page. It may return what is shown instead. */
export type AfterList<Name extends ModelName, Request = unknown> = Hook<'afterList', Name, Request>

/** Runs before a record is created. What it returns is stored. */
export type BeforeCreate<Name extends ModelName, Request = unknown> = Hook<'beforeCreate', Name, Request>

/** Runs inside the transaction that created a record. It may return what is shown instead. */
export type AfterCreate<Name extends ModelName, Request = unknown> = Hook<'afterCreate', Name, Request>

/** Runs before a record is changed, by PATCH and by PUT. What it returns is stored. */
export type BeforeUpdate<Name extends ModelName, Request = unknown> = Hook<'beforeUpdate', Name, Request>

/** Runs inside the transaction that changed a record. It may return what is shown instead. */
export type AfterUpdate<Name extends ModelName, Request = unknown> = Hook<'afterUpdate', Name, Request>

/** Runs before a record is deleted. */
export type BeforeDelete<Name extends ModelName, Request = unknown> = Hook<'beforeDelete', Name, Request>

/** Runs inside the transaction that deleted a record. */
export type AfterDelete<Name extends ModelName, Request = unknown> = Hook<'afterDelete', Name, Request>

/** Runs once a write is durable and the reply is on its way. */
export type AfterCommit<Name extends ModelName, Request = unknown> = Hook<'afterCommit', Name, Request>

/** Says what the caller may reach: it joins the WHERE of every statement of the model. */
export type ScopeHook<Name extends ModelName, Request = unknown> = Hook<'scope', Name, Request>
