// An API in an application of NestJS, beside its own controllers.
// Compile it with `experimentalDecorators` and `emitDecoratorMetadata`, as every application of NestJS, and run it with Node.js.
import { Controller, Get, Module, Req } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { ModelRest, ModelRestModule, type NestRequest } from 'modelrest/nest'
import { memorySource } from 'modelrest/testing'

// Keeps the records in memory. Use your database instead: `drizzleModels(db, tables)` from `modelrest/drizzle`.
const models = memorySource([
  {
    name: 'Task',
    fields: [
      { name: 'id', kind: 'integer', hasDefault: true },
      { name: 'title', kind: 'text', maxLength: 100 },
    ],
    primaryKey: ['id'],
  },
])

@Controller('hello')
class HelloController {
  constructor(private readonly rest: ModelRest) {}

  @Get()
  async hello(@Req() request: NestRequest): Promise<string> {
    const { caller } = await this.rest.context(request)
    return `Hello, ${caller?.id ?? 'anonymous'}`
  }
}

@Module({
  imports: [ModelRestModule.forRoot({ models, base: '/api' })],
  controllers: [HelloController],
})
class AppModule {}

// With `rawBody`, modelrest receives the bytes of bodies that Nest has parsed.
const app = await NestFactory.create(AppModule, { rawBody: true })

// The errors of controllers become problem documents, too.
app.get(ModelRest).problems(app, { notFound: true })
app.enableShutdownHooks()

const server = await app.listen(Number(process.env['PORT'] ?? 3000))
console.log(`http://localhost:${server.address().port}`)
