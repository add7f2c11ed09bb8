import 'reflect-metadata'
import { Crud, type CrudController, CrudValidationGroups } from '@dataui/crud'
import { TypeOrmCrudService } from '@dataui/crud-typeorm'
import { Controller, Injectable } from '@nestjs/common'
import { InjectRepository } from '@nestjs/typeorm'
import { IsBoolean, IsInt, IsOptional, IsString, MaxLength } from 'class-validator'
import { Column, Entity, PrimaryGeneratedColumn, type Repository } from 'typeorm'
import { opening } from './serve'

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

export const open = opening({
  entities: [Product],
  providers: [ProductsService],
  controllers: [ProductsController],
})
