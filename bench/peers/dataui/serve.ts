import 'reflect-metadata'
import { Module, type Provider, type Type } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify'
import { TypeOrmModule, type TypeOrmModuleOptions } from '@nestjs/typeorm'

interface Parts {
  readonly entities: Type[]
  readonly providers: Provider[]
  readonly controllers: Type[]
}

const connection = (
  database: 'sqlite' | 'postgres',
  location: string,
  entities: Type[],
): TypeOrmModuleOptions =>
  database === 'postgres'
    ? { type: 'postgres', url: location, entities }
    : {
        type: 'better-sqlite3',
        database: location,
        entities,
        prepareDatabase: (client: { pragma(text: string): unknown }) => {
          client.pragma('journal_mode = WAL')
          client.pragma('synchronous = NORMAL')
        },
      }

/** Serves the controllers of some entities. */
export const opening =
  ({ entities, providers, controllers }: Parts) =>
  async (database: 'sqlite' | 'postgres', location: string) => {
    @Module({
      imports: [
        TypeOrmModule.forRoot(connection(database, location, entities)),
        TypeOrmModule.forFeature(entities),
      ],
      providers,
      controllers,
    })
    class AppModule {}

    const app = await NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter(), {
      logger: false,
    })
    await app.listen(0, '127.0.0.1')
    return { origin: (await app.getUrl()).replace('[::1]', '127.0.0.1'), close: () => app.close() }
  }
