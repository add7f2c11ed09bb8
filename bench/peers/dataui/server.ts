import 'reflect-metadata'
import { Crud, type CrudController, CrudValidationGroups } from '@dataui/crud'
import { TypeOrmCrudService } from '@dataui/crud-typeorm'
import { Controller, Injectable, Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify'
import { InjectRepository, TypeOrmModule, type TypeOrmModuleOptions } from '@nestjs/typeorm'
import { IsBoolean, IsInt, IsOptional, IsString, MaxLength } from 'class-validator'
import { Column, Entity, PrimaryGeneratedColumn, type Repository } from 'typeorm'

const { UPDATE } = CrudValidationGroups

@Entity('products')
class Product {
  @PrimaryGeneratedColumn()
  id: number

  @IsOptional({ groups: [UPDATE] })
  @IsString({ always: true })
  @MaxLength(100, { always: true })
  @Column({ length: 100 })
  name: string

  @IsOptional({ groups: [UPDATE] })
  @IsString({ always: true })
  @MaxLength(20, { always: true })
  @Column({ length: 20 })
  category: string

  @IsOptional({ groups: [UPDATE] })
  @IsInt({ always: true })
  @Column()
  price: number

  @IsOptional({ groups: [UPDATE] })
  @IsInt({ always: true })
  @Column()
  stock: number

  @IsOptional({ groups: [UPDATE] })
  @IsBoolean({ always: true })
  @Column()
  in_stock: boolean
}

@Injectable()
class ProductsService extends TypeOrmCrudService<Product> {
  constructor(@InjectRepository(Product) repo: Repository<Product>) {
    super(repo)
  }
}

@Crud({ model: { type: Product }, query: { maxLimit: 100 } })
@Controller('products')
class ProductsController implements CrudController<Product> {
  constructor(public service: ProductsService) {}
}

const connection = (database: 'sqlite' | 'postgres', location: string): TypeOrmModuleOptions =>
  database === 'postgres'
    ? { type: 'postgres', url: location, entities: [Product] }
    : {
        type: 'better-sqlite3',
        database: location,
        entities: [Product],
        prepareDatabase: (client: { pragma(text: string): unknown }) => {
          client.pragma('journal_mode = WAL')
          client.pragma('synchronous = NORMAL')
        },
      }

export const open = async (database: 'sqlite' | 'postgres', location: string) => {
  @Module({
    imports: [TypeOrmModule.forRoot(connection(database, location)), TypeOrmModule.forFeature([Product])],
    providers: [ProductsService],
    controllers: [ProductsController],
  })
  class AppModule {}

  const app = await NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter(), {
    logger: false,
  })
  await app.listen(0, '127.0.0.1')
  return { origin: (await app.getUrl()).replace('[::1]', '127.0.0.1'), close: () => app.close() }
}
