import {
  BadRequestException,
  Controller,
  Get,
  HttpException,
  InternalServerErrorException,
  NotFoundException,
  Post,
} from '@nestjs/common'
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger'
import { Validator } from '@seriousme/openapi-schema-validator'
import { HttpError } from 'modelrest'
import { ModelRest, ModelRestModule, mergeOpenApi } from 'modelrest/nest'
import { describe, expect, it } from 'vitest'
import { expectOwnErrors, ownErrorNames, throwOwn } from '../own-errors.ts'
import { json, logOfTests } from '../stage.ts'
import { asking, created, decorated, platforms, tasks } from './stage.ts'

const logged = logOfTests()

class Failing {
  http() {
    throw new HttpError(409, 'Too late.', { code: 'too_late' })
  }
  missing() {
    throw new NotFoundException('There is no report.')
  }
  invalid() {
    throw new BadRequestException(['name should not be empty', 'size must be positive'])
  }
  teapot() {
    throw new HttpException({ message: 'I am a teapot.', more: 1 }, 418)
  }
  broken() {
    throw new Error('secret')
  }
  internal() {
    throw new InternalServerErrorException('secret')
  }
  moved() {
    throw new HttpException('elsewhere', 304)
  }
  echo(request: { body: unknown }) {
    return request.body
  }
}
const methods = Object.fromEntries(
  ['http', 'missing', 'invalid', 'teapot', 'broken', 'internal', 'moved'].map((name) => [name, [Get(name)]]),
)
class Throwing {}
for (const name of ownErrorNames) Object.assign(Throwing.prototype, { [name]: () => throwOwn(name) })
decorated(Throwing, {
  on: [Controller('thrown')],
  methods: Object.fromEntries(ownErrorNames.map((name) => [name, [Get(name)]])),
})
const Own = () => decorated(class extends Failing {}, { on: [Controller('own')] })
decorated(Failing, { methods: { ...methods, echo: [Post('echo')] } })

describe.each(platforms)('on %s', (platform) => {
  it('makes the errors of controllers problem documents', async () => {
    const app = await created(platform, {
      imports: [ModelRestModule.forRoot({ models: tasks() })],
      controllers: [Own()],
    })
    app.get(ModelRest).problems(app, { notFound: true })
    const ask = await asking(app)
    expect((await ask('/own/http')).json).toMatchObject({
      status: 409,
      code: 'too_late',
      detail: 'Too late.',
    })
    expect((await ask('/own/missing')).json).toMatchObject({
      code: 'not_found',
      detail: 'There is no report.',
    })
    expect((await ask('/own/invalid')).json).toMatchObject({
      status: 400,
      errors: [{ detail: 'name should not be empty' }, { detail: 'size must be positive' }],
    })
    expect((await ask('/own/teapot')).json).toMatchObject({ status: 418, detail: 'I am a teapot.' })
    for (const path of ['/own/broken', '/own/internal']) {
      const { status, text, headers } = await ask(path)
      expect([status, text.includes('secret')]).toEqual([500, false])
      expect(headers.get('content-type')).toBe('application/problem+json')
    }
    expect(logged().match(/secret/g)?.length).toBeGreaterThan(1)
    expect((await ask('/own/moved')).status).toBe(304)
    expect((await ask('/unknown')).json).toMatchObject({ code: 'not_found', instance: '/unknown' })
    expect((await ask('/own/echo', json('{'))).json).toMatchObject({ status: 400, code: 'rejected' })
    expect((await ask('/own/echo', json({ a: 1 }))).json).toEqual({ a: 1 })
  })

  it('sends what errors of other libraries say for clients', async () => {
    const app = await created(platform, {
      ...{ imports: [ModelRestModule.forRoot({ models: tasks() })], controllers: [Throwing] },
    })
    app.get(ModelRest).problems(app)
    const ask = await asking(app)
    await expectOwnErrors((name) => ask(`/thrown/${name}`))
  })

  it('leaves unknown paths to Nest', async () => {
    const app = await created(platform, {
      imports: [ModelRestModule.forRoot({ models: tasks() })],
      controllers: [Own()],
    })
    app.get(ModelRest).problems(app)
    const ask = await asking(app)
    expect((await ask('/unknown')).json).toEqual({
      ...{ statusCode: 404, message: 'Cannot GET /unknown', error: 'Not Found' },
    })
    expect((await ask('/own/missing')).json).toMatchObject({ code: 'not_found' })
    expect(() => app.get(ModelRest).problems({})).toThrow('Nest')
  })

  it('reads bodies beside the parser of Nest', async () => {
    const app = await created(platform, {
      imports: [ModelRestModule.forRoot({ models: tasks() })],
      controllers: [Own()],
    })
    const ask = await asking(app)
    expect(logged()).not.toContain('express.json')
    expect((await ask('/tasks/', json({ title: 'é', size: 0.5 }))).json).toMatchObject({
      title: 'é',
      size: 0.5,
    })
    expect((await ask('/own/echo', json({ a: 1 }))).json).toEqual({ a: 1 })
    const precise = await ask('/tasks/', json('{"title":"a","size":0.30000000000000004}'))
    expect(precise.status).toBe(platform === 'express' ? 422 : 201)
  })

  it('reads exact bytes that Nest keeps', async () => {
    const app = await created(
      platform,
      { imports: [ModelRestModule.forRoot({ models: tasks() })] },
      { rawBody: true },
    )
    const ask = await asking(app)
    expect((await ask('/tasks/', json('{"title":"a","size":0.30000000000000004}'))).status).toBe(201)
    expect((await ask('/tasks/', json('{"title":"a","size":9007199254740993}'))).json).toMatchObject({
      errors: [{ pointer: '/size', code: 'imprecise_number' }],
    })
    const form = new FormData()
    form.set('title', 'a')
    expect((await ask('/tasks/', { method: 'POST', body: form })).status).toBe(415)
  })

  it('writes the lines of requests and of the start to the logger of Nest', async () => {
    const lines: string[] = []
    const app = await created(platform, {
      imports: [
        ModelRestModule.forRoot({
          models: tasks(),
          auth: {
            authenticate: () => {
              throw new Error('secret')
            },
          },
        }),
      ],
    })
    const collect = (...line: readonly unknown[]) => lines.push(`${line.at(-1)} ${line[0]}`)
    app.useLogger({ log: collect, warn: collect, error: collect })
    const ask = await asking(app)
    const { request_id: id } = (await ask('/tasks/')).json
    expect(lines.filter((line) => line.startsWith('ModelRest ')).join('\n')).toMatch(/controllers: 0/)
    expect(lines.find((line) => line.includes('Error: secret'))).toContain(id)
    expect(logged()).toBe('')
  })
})

class Documented {
  list() {
    return []
  }
  notes() {
    return []
  }
}
decorated(Documented, { on: [Controller('tasks')], methods: { list: [Get()], notes: [Get(':task/notes')] } })

it.each(platforms)('the document of @nestjs/swagger has the operations of both on %s', async (platform) => {
  const app = await created(platform, {
    imports: [ModelRestModule.forRoot({ models: tasks(), base: '/v1' })],
    controllers: [Documented, Own()],
  })
  app.setGlobalPrefix('api')
  const config = new DocumentBuilder()
    .setTitle('Shop')
    .addBearerAuth()
    .addSecurityRequirements('bearer')
    .build()
  const merged = () => mergeOpenApi(SwaggerModule.createDocument(app, config), app.get(ModelRest))
  // On Fastify, its page needs another package.
  if (platform === 'express') SwaggerModule.setup('reference', app, merged)
  const ask = await asking(app)
  if (platform === 'express') {
    expect((await ask('/reference')).status).toBe(200)
    expect((await ask('/reference-json')).json).toEqual(JSON.parse(JSON.stringify(merged())))
  }
  const document = JSON.parse(JSON.stringify(merged()))
  expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Shop' } })
  expect(Object.keys(document.paths)).toEqual(
    expect.arrayContaining(['/api/tasks', '/api/v1/tasks/', '/api/v1/tasks/{id}', '/api/own/http']),
  )
  expect(document.paths['/api/v1/tasks/'].get).toMatchObject({ operationId: 'listTasks', security: [] })
  expect(await new Validator().validate(document)).toMatchObject({ valid: true })
})
