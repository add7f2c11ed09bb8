delete from "authors" where "id" = $1 and "bio" is null returning "id", "name", "email", "bio"
delete from "authors" where "id" = $1 and "bio" is null returning 1
delete from "authors" where "id" = $1 and "name" = $2 returning "id", "name", "email", "bio"
delete from "authors" where "id" = $1 and "name" = $2 returning 1
delete from "authors" where "id" = $1 and "name" in ($2, $3) returning 1
delete from "authors" where "id" = $1 and ("name" = $2 or "name" = $3) returning 1
delete from "authors" where "id" = $1 and exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id") returning 1
delete from "authors" where "id" = $1 and false returning "id", "name", "email", "bio"
delete from "authors" where "id" = $1 and false returning 1
delete from "authors" where "id" = $1 returning "id", "name", "email", "bio"
delete from "authors" where "id" = $1 returning 1
delete from "books" where "id" = $1 and exists (select 1 from "authors" as "related1" where "related1"."id" = "books"."author_id" and "related1"."name" = $2) returning 1
delete from "books" where "id" = $1 returning 1
delete from "categories" where "id" = $1 and exists (select 1 from "categories" as "related1" where "related1"."id" = "categories"."parent_id" and exists (select 1 from "categories" as "related2" where "related2"."id" = "related1"."parent_id" and "related2"."name" = $2)) returning "id", "name", "parent_id"
delete from "categories" where "id" = $1 returning 1
delete from "oddities" where "id" = $1 returning 1
delete from "placements" where "book_id" = $1 and "shelf_code" = $2 returning 1
delete from "replies" where "id" = $1 returning 1
delete from "reviews" where "book_id" = $1 and "reviewer" = $2 returning 1
delete from "shelves" where "code" = $1 returning "code", "floor", "capacity", "built_at"
delete from "shelves" where "code" = $1 returning 1
explain (format json) select 1 from "authors" where "id" is null
explain (format json) select 1 from "books" where "id" is null
explain (format json) select 1 from "categories" where "id" is null
explain (format json) select 1 from "cheap_books"
explain (format json) select 1 from "cheap_books" where "id" is null
explain (format json) select 1 from "oddities" where "id" is null
explain (format json) select 1 from "placements" where "book_id" is null
explain (format json) select 1 from "replies" where "id" is null
explain (format json) select 1 from "reviews" where "book_id" is null
explain (format json) select 1 from "shelves" where "code" is null
insert into "authors" ("id", "name") values (default, $1), ($2, $3), (default, $4) returning "id", "name", "email", "bio"
insert into "authors" ("name") values ($1) returning "id", "name", "email", "bio"
insert into "authors" ("name") values ($1), ($2), ($3), ($4) returning "id", "name", "email", "bio"
insert into "authors" ("name") values ($1), ($2), ($3), ($4), ($5), ($6), ($7), ($8), ($9), ($10), ($11), ($12), ($13), ($14), ($15), ($16), ($17), ($18), ($19), ($20), ($21), ($22), ($23), ($24), ($25) returning "id", "name", "email", "bio"
insert into "authors" ("name") values ($1), ($2), ($3), ($4), ($5), ($6), ($7), ($8), ($9), ($10), ($11), ($12), ($13), ($14), ($15), ($16), ($17), ($18), ($19), ($20), ($21), ($22), ($23), ($24), ($25), ($26), ($27), ($28), ($29), ($30), ($31), ($32), ($33), ($34), ($35), ($36), ($37), ($38), ($39), ($40), ($41), ($42), ($43), ($44), ($45), ($46), ($47), ($48), ($49), ($50), ($51), ($52), ($53),  and so on: 9768 characters, 6fa636b199dfe1a7
insert into "authors" ("name", "bio") values ($1, $2) returning "id", "name", "email", "bio"
insert into "authors" ("name", "bio") values ($1, $2), ($3, $4) returning "id", "name", "email", "bio"
insert into "authors" ("name", "email") values ($1, $2) returning "id", "name", "email", "bio"
insert into "authors" ("name", "email", "bio") values ($1, default, default), ($2, default, $3), ($4, $5, default), ($6, default, $7), ($8, default, $9) returning "id", "name", "email", "bio"
insert into "books" ("id", "title", "isbn", "price", "pages", "printed_at", "author_id") values ($1, $2, $3, $4, $5, $6, $7) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "tit and so on: 410 characters, 882104194873ec9e
insert into "books" ("id", "title", "isbn", "price", "pages", "printed_at", "author_id") values (default, $1, $2, $3, $4, $5, $6), ($7, $8, $9, $10, $11, $12, $13), (default, $14, $15, $16, $17, $18, $19), ($20, $21, $22, $23, $24, $25, $26) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "op and so on: 527 characters, 844d6d0829a7a9b1
insert into "books" ("isbn", "price", "pages", "printed_at", "author_id") values ($1, $2, $3, $4, $5) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
insert into "books" ("title", "isbn", "price", "discount", "pages", "copies", "printed_at", "author_id") values ($1, $2, $3, $4, $5, $6, $7, $8) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", and so on: 430 characters, 5027b0247dd44def
insert into "books" ("title", "isbn", "price", "discount", "pages", "printed_at", "author_id") values ($1, $2, $3, $4, $5, $6, $7) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id" and so on: 416 characters, 3ac6f878b1574436
insert into "books" ("title", "isbn", "price", "discount", "rating", "pages", "in_stock", "genre", "printed_at", "author_id") values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", and so on: 460 characters, 79447f918c0b41a7
insert into "books" ("title", "isbn", "price", "discount", "rating", "pages", "in_stock", "genre", "printed_at", "author_id") values ($1, $2, $3, default, default, $4, default, default, $5, $6), ($7, $8, $9, default, default, $10, $11, default, $12, $13), ($14, $15, $16, $17, default, $18, default, default, $19, $20), ($21, $22, $23, default, $24, $25, default, $26, $27, $28), ($29, $30, $31, defa and so on: 732 characters, f5023d2d01dd204e
insert into "books" ("title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta", "tags", "loan_period", "signature", "author_id") values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20), ($21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $ and so on: 191923 characters, 282851eaeeed0c26
insert into "books" ("title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta", "tags", "loan_period", "signature", "author_id") values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20), ($21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $ and so on: 54802 characters, 6170e9ec409edc0a
insert into "books" ("title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta", "tags", "loan_period", "signature", "author_id") values ($1, $2, $3, default, default, default, $4, default, default, default, default, $5, default, default, default, default, default, default, default, $6), ($7 and so on: 15636 characters, b1c34a41836c164b
insert into "books" ("title", "isbn", "price", "pages", "copies", "printed_at", "author_id") values ($1, $2, $3, $4, $5, $6, $7) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id",  and so on: 414 characters, 58fa8d8a03f17abd
insert into "books" ("title", "isbn", "price", "pages", "genre", "printed_at", "author_id") values ($1, $2, $3, $4, $5, $6, $7) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", " and so on: 413 characters, 4ece9dd31b36a744
insert into "books" ("title", "isbn", "price", "pages", "in_stock", "printed_at", "author_id") values ($1, $2, $3, $4, $5, $6, $7) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id" and so on: 416 characters, 392700c307948a26
insert into "books" ("title", "isbn", "price", "pages", "printed_at", "author_id") values ($1, $2, $3, $4, $5, $6) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
insert into "books" ("title", "isbn", "price", "pages", "printed_at", "author_id") values ($1, $2, $3, $4, $5, $6), ($7, $8, $9, $10, $11, $12), ($13, $14, $15, $16, $17, $18) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature" and so on: 461 characters, 39eab7c11eac6107
insert into "books" ("title", "isbn", "price", "pages", "printed_at", "author_id") values ($1, $2, $3, $4, $5, $6), ($7, $8, $9, $10, $11, $12), ($13, $14, $15, $16, $17, $18), ($19, $20, $21, $22, $23, $24), ($25, $26, $27, $28, $29, $30) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "open and so on: 525 characters, cc689fba75f04ab2
insert into "books" ("title", "isbn", "price", "pages", "printed_at", "author_id") values ($1, $2, $3, $4, $5, $6), (default, $7, $8, $9, $10, $11), ($12, $13, $14, $15, $16, $17) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signat and so on: 465 characters, 66710704172c146e
insert into "books" ("title", "isbn", "price", "pages", "printed_at", "author_id", "category_id") values ($1, $2, $3, $4, $5, $6, $7) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_ and so on: 419 characters, 91b715fb2996a053
insert into "books" ("title", "isbn", "price", "pages", "printed_at", "author_id", "translator_id") values ($1, $2, $3, $4, $5, $6, $7) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "categor and so on: 421 characters, f7b56adc0b3fcd67
insert into "books" ("title", "isbn", "price", "pages", "printed_at", "author_id", "translator_id", "category_id") values ($1, $2, $3, $4, $5, $6, $7, $8) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "trans and so on: 440 characters, 3aa62db23fc59e48
insert into "books" ("title", "isbn", "price", "pages", "printed_at", "cover", "author_id") values ($1, $2, $3, $4, $5, $6, $7) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", " and so on: 413 characters, f2fd711b50d04636
insert into "books" ("title", "isbn", "price", "pages", "printed_at", "loan_period", "author_id") values ($1, $2, $3, $4, $5, $6, $7) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_ and so on: 419 characters, f457170405392c4c
insert into "books" ("title", "isbn", "price", "pages", "printed_at", "meta", "author_id") values ($1, $2, $3, $4, $5, $6, $7) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "t and so on: 412 characters, 391551e5efc16446
insert into "books" ("title", "isbn", "price", "pages", "printed_at", "meta", "tags", "author_id") values ($1, $2, $3, $4, $5, $6, $7, $8) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "cate and so on: 424 characters, 23846581cb604374
insert into "books" ("title", "isbn", "price", "pages", "printed_at", "opens_at", "author_id") values ($1, $2, $3, $4, $5, $6, $7) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id" and so on: 416 characters, 8614df984a4bce20
insert into "books" ("title", "isbn", "price", "pages", "printed_at", "signature", "author_id") values ($1, $2, $3, $4, $5, $6, $7) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id and so on: 417 characters, b6e8dd634b41a361
insert into "books" ("title", "isbn", "price", "pages", "printed_at", "sold_at", "author_id") values ($1, $2, $3, $4, $5, $6, $7) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", and so on: 415 characters, fa6f8978cd781a9b
insert into "books" ("title", "isbn", "price", "pages", "printed_at", "tags", "author_id") values ($1, $2, $3, $4, $5, $6, $7) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "t and so on: 412 characters, fdb0b9eba278b592
insert into "books" ("title", "isbn", "price", "pages", "published_on", "printed_at", "author_id") values ($1, $2, $3, $4, $5, $6, $7) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category and so on: 420 characters, 75dc39effdaf9c55
insert into "books" ("title", "isbn", "price", "rating", "pages", "genre", "printed_at", "author_id") values ($1, $2, $3, $4, $5, $6, $7, $8) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "c and so on: 427 characters, dc30cf5cc0ba2e8f
insert into "books" ("title", "isbn", "price", "rating", "pages", "printed_at", "author_id") values ($1, $2, $3, $4, $5, $6, $7) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id",  and so on: 414 characters, 06b196fc168c96d7
insert into "books" ("title", "isbn", "price", "weight", "pages", "printed_at", "author_id") values ($1, $2, $3, $4, $5, $6, $7) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id",  and so on: 414 characters, 876b0473fdccbf04
insert into "categories" ("name") values ($1) returning "id", "name", "parent_id"
insert into "categories" ("name", "parent_id") values ($1, $2) returning "id", "name", "parent_id"
insert into "oddities" ("name") values ($1) returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
insert into "oddities" ("name", "constructor") values ($1, $2) returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
insert into "oddities" ("name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON") values ($1, $2, $3, $4, $5, $6, $7) returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
insert into "oddities" ("name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON") values ($1, $2, $3, $4, $5, $6, $7), ($8, default, default, default, default, default, default) returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
insert into "oddities" ("name", "hasOwnProperty") values ($1, $2) returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
insert into "oddities" ("name", "then") values ($1, $2) returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
insert into "oddities" ("name", "toJSON") values ($1, $2) returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
insert into "oddities" ("name", "toString") values ($1, $2) returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
insert into "oddities" ("name", "valueOf") values ($1, $2) returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
insert into "placements" ("book_id", "shelf_code", "copies") values ($1, $2, $3) returning "book_id", "shelf_code", "copies"
insert into "replies" ("book_id", "reviewer", "text") values ($1, $2, $3) returning "id", "book_id", "reviewer", "text"
insert into "reviews" ("book_id", "reviewer", "stars") values ($1, $2, $3) returning "book_id", "reviewer", "stars", "note"
insert into "reviews" ("book_id", "reviewer", "stars") values ($1, $2, $3), ($4, $5, $6), ($7, $8, $9), ($10, $11, $12) returning "book_id", "reviewer", "stars", "note"
insert into "shelves" ("code") values ($1) returning "code", "floor", "capacity", "built_at"
insert into "shelves" ("code", "floor") values ($1, $2) returning "code", "floor", "capacity", "built_at"
insert into "shelves" ("code", "floor") values ($1, default), ($2, $3), ($4, default), ($5, $6) returning "code", "floor", "capacity", "built_at"
select "book_id", "reviewer" from "reviews" order by "book_id" asc, "reviewer" asc limit $1 offset $2
select "book_id", "reviewer", "stars" from "reviews" limit $1 offset $2
select "book_id", "reviewer", "stars", "note" from "reviews" where "book_id" = $1 and "reviewer" = $2
select "book_id", "reviewer", "stars", "note" from "reviews" where exists (select 1 from "replies" as "related1" where "related1"."book_id" = "reviews"."book_id" and "related1"."reviewer" = "reviews"."reviewer" and "related1"."text" = $1) order by "book_id" asc, "reviewer" asc limit $2 offset $3
select "book_id", "reviewer", "stars", "note" from "reviews" where exists (select 1 from "replies" as "related1" where "related1"."book_id" = "reviews"."book_id" and "related1"."reviewer" = "reviews"."reviewer") order by "book_id" asc, "reviewer" asc limit $1 offset $2
select "book_id", "shelf_code" from "placements" order by "book_id" asc, "shelf_code" asc limit $1 offset $2
select "books"."id", "books"."title", "books"."isbn", "books"."price", "books"."discount", "books"."rating", "books"."weight", "books"."pages", "books"."copies", "books"."in_stock", "books"."genre", "books"."published_on", "books"."printed_at", "books"."sold_at", "books"."opens_at", "books"."cover", "books"."meta"::text, "books"."tags", "books"."loan_period", "books"."signature", "books"."author_i and so on: 655 characters, 84dc81005b7d56f4
select "books"."id", "books"."title", "books"."isbn", "books"."price", "books"."discount", "books"."rating", "books"."weight", "books"."pages", "books"."copies", "books"."in_stock", "books"."genre", "books"."published_on", "books"."printed_at", "books"."sold_at", "books"."opens_at", "books"."cover", "books"."meta"::text, "books"."tags", "books"."loan_period", "books"."signature", "books"."author_i and so on: 657 characters, 83ba99408a3c4f7d
select "books"."id", "books"."title", "books"."isbn", "books"."price", "books"."discount", "books"."rating", "books"."weight", "books"."pages", "books"."copies", "books"."in_stock", "books"."genre", "books"."published_on", "books"."printed_at", "books"."sold_at", "books"."opens_at", "books"."cover", "books"."meta"::text, "books"."tags", "books"."loan_period", "books"."signature", "books"."author_i and so on: 678 characters, b2959061665c6e1d
select "code" from "shelves" order by "code" asc limit $1 offset $2
select "code", "floor", "capacity", "built_at" from "shelves" where "code" = $1
select "code", "floor", "capacity", "built_at" from "shelves" where ("floor" = $1) is not true order by "code" asc limit $2 offset $3
select "code", "floor", "capacity", "built_at" from "shelves" where ("floor" in ($1, $2)) is not true order by "code" asc limit $3 offset $4
select "code", "floor", "capacity", "built_at" from "shelves" where (("floor" = $1 or "floor" = $2)) is not true order by "code" asc limit $3 offset $4
select "genre", count(*), count("rating"), sum("rating"::double precision) from "books" group by "genre" order by "genre" asc nulls last limit $1
select "genre", sum("rating"::double precision), count("rating") from "books" group by "genre" order by sum("rating"::double precision) / count("rating") desc nulls first, "genre" asc nulls last limit $1
select "id" and all the others from "books" order by "copies" asc nulls last limit $1 offset $2
select "id" and all the others from "books" order by "copies" desc nulls first limit $1 offset $2
select "id" and all the others from "books" order by "discount" asc limit $1 offset $2
select "id" and all the others from "books" order by "discount" desc limit $1 offset $2
select "id" and all the others from "books" order by "id" asc limit $1 offset $2
select "id" and all the others from "books" order by "opens_at" asc nulls last limit $1 offset $2
select "id" and all the others from "books" order by "opens_at" desc nulls first limit $1 offset $2
select "id" and all the others from "books" order by "pages" asc limit $1 offset $2
select "id" and all the others from "books" order by "pages" desc limit $1 offset $2
select "id" and all the others from "books" order by "price" asc limit $1 offset $2
select "id" and all the others from "books" order by "price" desc limit $1 offset $2
select "id" and all the others from "books" order by "price" desc, "id" asc limit $1 offset $2
select "id" and all the others from "books" order by "printed_at" asc limit $1 offset $2
select "id" and all the others from "books" order by "printed_at" desc limit $1 offset $2
select "id" and all the others from "books" order by "published_on" asc nulls last limit $1 offset $2
select "id" and all the others from "books" order by "published_on" desc nulls first limit $1 offset $2
select "id" and all the others from "books" order by "rating" asc nulls last limit $1 offset $2
select "id" and all the others from "books" order by "rating" asc nulls last, "pages" asc limit $1 offset $2
select "id" and all the others from "books" order by "rating" asc nulls last, "pages" desc limit $1 offset $2
select "id" and all the others from "books" order by "rating" desc nulls first limit $1 offset $2
select "id" and all the others from "books" order by "rating" desc nulls first, "pages" asc limit $1 offset $2
select "id" and all the others from "books" order by "rating" desc nulls first, "pages" desc limit $1 offset $2
select "id" and all the others from "books" order by "sold_at" asc nulls last limit $1 offset $2
select "id" and all the others from "books" order by "sold_at" desc nulls first limit $1 offset $2
select "id" and all the others from "books" order by "title" asc limit $1 offset $2
select "id" and all the others from "books" order by "title" desc limit $1 offset $2
select "id" and all the others from "books" order by "weight" asc nulls last limit $1 offset $2
select "id" and all the others from "books" order by "weight" desc nulls first limit $1 offset $2
select "id" and all the others from "books" where "copies" < $1 limit $2 offset $3
select "id" and all the others from "books" where "copies" < $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "copies" <= $1 limit $2 offset $3
select "id" and all the others from "books" where "copies" <= $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "copies" = $1 limit $2 offset $3
select "id" and all the others from "books" where "copies" = $1 order by "id" asc limit $2 offset $3
select "id" and all the others from "books" where "copies" = $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "copies" > $1 limit $2 offset $3
select "id" and all the others from "books" where "copies" > $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "copies" >= $1 limit $2 offset $3
select "id" and all the others from "books" where "copies" >= $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "copies" in ($1) order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "copies" in ($1, $2) order by "isbn" asc limit $3 offset $4
select "id" and all the others from "books" where "copies" is not null limit $1 offset $2
select "id" and all the others from "books" where "copies" is not null order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where "copies" is null limit $1 offset $2
select "id" and all the others from "books" where "copies" is null order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where "cover" = $1 limit $2 offset $3
select "id" and all the others from "books" where "cover" = $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "cover" in ($1) order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "cover" in ($1, $2) order by "isbn" asc limit $3 offset $4
select "id" and all the others from "books" where "cover" is not null limit $1 offset $2
select "id" and all the others from "books" where "cover" is not null order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where "cover" is null limit $1 offset $2
select "id" and all the others from "books" where "cover" is null order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where "discount" < $1 limit $2 offset $3
select "id" and all the others from "books" where "discount" < $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "discount" <= $1 limit $2 offset $3
select "id" and all the others from "books" where "discount" <= $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "discount" = $1 limit $2 offset $3
select "id" and all the others from "books" where "discount" = $1 order by "id" asc limit $2 offset $3
select "id" and all the others from "books" where "discount" = $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "discount" > $1 limit $2 offset $3
select "id" and all the others from "books" where "discount" > $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "discount" >= $1 limit $2 offset $3
select "id" and all the others from "books" where "discount" >= $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "discount" in ($1) order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "discount" in ($1, $2) order by "isbn" asc limit $3 offset $4
select "id" and all the others from "books" where "discount" is not null limit $1 offset $2
select "id" and all the others from "books" where "discount" is not null order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where "discount" is null limit $1 offset $2
select "id" and all the others from "books" where "discount" is null order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where "genre" = $1 limit $2 offset $3
select "id" and all the others from "books" where "genre" = $1 order by "id" asc limit $2 offset $3
select "id" and all the others from "books" where "genre" = $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "genre" in ($1) order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "genre" in ($1, $2) order by "isbn" asc limit $3 offset $4
select "id" and all the others from "books" where "genre" is not null limit $1 offset $2
select "id" and all the others from "books" where "genre" is not null order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where "genre" is null limit $1 offset $2
select "id" and all the others from "books" where "genre" is null order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where "id" = $1
select "id" and all the others from "books" where "id" = $1 and "copies" = $2
select "id" and all the others from "books" where "id" = $1 and "cover" = $2
select "id" and all the others from "books" where "id" = $1 and "discount" = $2
select "id" and all the others from "books" where "id" = $1 and "genre" = $2
select "id" and all the others from "books" where "id" = $1 and "in_stock" = $2
select "id" and all the others from "books" where "id" = $1 and "opens_at" = $2
select "id" and all the others from "books" where "id" = $1 and "pages" = $2
select "id" and all the others from "books" where "id" = $1 and "price" = $2
select "id" and all the others from "books" where "id" = $1 and "printed_at" = $2
select "id" and all the others from "books" where "id" = $1 and "published_on" = $2
select "id" and all the others from "books" where "id" = $1 and "rating" = $2
select "id" and all the others from "books" where "id" = $1 and "sold_at" = $2
select "id" and all the others from "books" where "id" = $1 and "title" = $2
select "id" and all the others from "books" where "id" = $1 and "weight" = $2
select "id" and all the others from "books" where "id" = $1 and ("copies" = $2) is not true
select "id" and all the others from "books" where "id" = $1 and ("cover" = $2) is not true
select "id" and all the others from "books" where "id" = $1 and ("discount" = $2) is not true
select "id" and all the others from "books" where "id" = $1 and ("genre" = $2) is not true
select "id" and all the others from "books" where "id" = $1 and ("in_stock" = $2) is not true
select "id" and all the others from "books" where "id" = $1 and ("opens_at" = $2) is not true
select "id" and all the others from "books" where "id" = $1 and ("pages" = $2) is not true
select "id" and all the others from "books" where "id" = $1 and ("price" = $2) is not true
select "id" and all the others from "books" where "id" = $1 and ("printed_at" = $2) is not true
select "id" and all the others from "books" where "id" = $1 and ("published_on" = $2) is not true
select "id" and all the others from "books" where "id" = $1 and ("rating" = $2) is not true
select "id" and all the others from "books" where "id" = $1 and ("sold_at" = $2) is not true
select "id" and all the others from "books" where "id" = $1 and ("title" = $2) is not true
select "id" and all the others from "books" where "id" = $1 and ("weight" = $2) is not true
select "id" and all the others from "books" where "id" = $1 and (nullif(concat("loan_period"), '') = $2) is not true
select "id" and all the others from "books" where "id" = $1 and exists (select 1 from "authors" as "related1" where "related1"."id" = "books"."author_id" and "related1"."name" = $2)
select "id" and all the others from "books" where "id" = $1 and nullif(concat("loan_period"), '') = $2
select "id" and all the others from "books" where "id" = $1 limit $2 offset $3
select "id" and all the others from "books" where "id" is not null limit $1 offset $2
select "id" and all the others from "books" where "id" is null limit $1 offset $2
select "id" and all the others from "books" where "in_stock" = $1 limit $2 offset $3
select "id" and all the others from "books" where "in_stock" = $1 order by "id" asc limit $2 offset $3
select "id" and all the others from "books" where "in_stock" = $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "in_stock" in ($1) order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "in_stock" in ($1, $2) order by "isbn" asc limit $3 offset $4
select "id" and all the others from "books" where "in_stock" is not null limit $1 offset $2
select "id" and all the others from "books" where "in_stock" is not null order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where "in_stock" is null limit $1 offset $2
select "id" and all the others from "books" where "in_stock" is null order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where "loan_period" is not null limit $1 offset $2
select "id" and all the others from "books" where "loan_period" is not null order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where "loan_period" is null limit $1 offset $2
select "id" and all the others from "books" where "loan_period" is null order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where "meta" is not null limit $1 offset $2
select "id" and all the others from "books" where "meta" is null limit $1 offset $2
select "id" and all the others from "books" where "opens_at" < $1 limit $2 offset $3
select "id" and all the others from "books" where "opens_at" < $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "opens_at" <= $1 limit $2 offset $3
select "id" and all the others from "books" where "opens_at" <= $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "opens_at" = $1 limit $2 offset $3
select "id" and all the others from "books" where "opens_at" = $1 order by "id" asc limit $2 offset $3
select "id" and all the others from "books" where "opens_at" = $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "opens_at" > $1 limit $2 offset $3
select "id" and all the others from "books" where "opens_at" > $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "opens_at" >= $1 limit $2 offset $3
select "id" and all the others from "books" where "opens_at" >= $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "opens_at" in ($1) order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "opens_at" in ($1, $2) order by "isbn" asc limit $3 offset $4
select "id" and all the others from "books" where "opens_at" is not null limit $1 offset $2
select "id" and all the others from "books" where "opens_at" is not null order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where "opens_at" is null limit $1 offset $2
select "id" and all the others from "books" where "opens_at" is null order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where "pages" < $1 limit $2 offset $3
select "id" and all the others from "books" where "pages" < $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "pages" <= $1 limit $2 offset $3
select "id" and all the others from "books" where "pages" <= $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "pages" = $1 limit $2 offset $3
select "id" and all the others from "books" where "pages" = $1 order by "id" asc limit $2 offset $3
select "id" and all the others from "books" where "pages" = $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "pages" > $1 limit $2 offset $3
select "id" and all the others from "books" where "pages" > $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "pages" >= $1 limit $2 offset $3
select "id" and all the others from "books" where "pages" >= $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "pages" in ($1) order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "pages" in ($1, $2) order by "isbn" asc limit $3 offset $4
select "id" and all the others from "books" where "pages" is not null limit $1 offset $2
select "id" and all the others from "books" where "pages" is not null order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where "pages" is null limit $1 offset $2
select "id" and all the others from "books" where "pages" is null order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where "price" < $1 limit $2 offset $3
select "id" and all the others from "books" where "price" < $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "price" <= $1 limit $2 offset $3
select "id" and all the others from "books" where "price" <= $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "price" = $1 limit $2 offset $3
select "id" and all the others from "books" where "price" = $1 order by "id" asc limit $2 offset $3
select "id" and all the others from "books" where "price" = $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "price" > $1 limit $2 offset $3
select "id" and all the others from "books" where "price" > $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "price" >= $1 limit $2 offset $3
select "id" and all the others from "books" where "price" >= $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "price" in ($1) order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "price" in ($1, $2) order by "isbn" asc limit $3 offset $4
select "id" and all the others from "books" where "price" is not null limit $1 offset $2
select "id" and all the others from "books" where "price" is not null order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where "price" is null limit $1 offset $2
select "id" and all the others from "books" where "price" is null order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where "printed_at" < $1 limit $2 offset $3
select "id" and all the others from "books" where "printed_at" < $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "printed_at" <= $1 limit $2 offset $3
select "id" and all the others from "books" where "printed_at" <= $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "printed_at" = $1 limit $2 offset $3
select "id" and all the others from "books" where "printed_at" = $1 order by "id" asc limit $2 offset $3
select "id" and all the others from "books" where "printed_at" = $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "printed_at" > $1 limit $2 offset $3
select "id" and all the others from "books" where "printed_at" > $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "printed_at" >= $1 limit $2 offset $3
select "id" and all the others from "books" where "printed_at" >= $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "printed_at" in ($1) order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "printed_at" in ($1, $2) order by "isbn" asc limit $3 offset $4
select "id" and all the others from "books" where "printed_at" is not null limit $1 offset $2
select "id" and all the others from "books" where "printed_at" is not null order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where "printed_at" is null limit $1 offset $2
select "id" and all the others from "books" where "printed_at" is null order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where "published_on" < $1 limit $2 offset $3
select "id" and all the others from "books" where "published_on" < $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "published_on" <= $1 limit $2 offset $3
select "id" and all the others from "books" where "published_on" <= $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "published_on" = $1 limit $2 offset $3
select "id" and all the others from "books" where "published_on" = $1 order by "id" asc limit $2 offset $3
select "id" and all the others from "books" where "published_on" = $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "published_on" > $1 limit $2 offset $3
select "id" and all the others from "books" where "published_on" > $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "published_on" >= $1 limit $2 offset $3
select "id" and all the others from "books" where "published_on" >= $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "published_on" in ($1) order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "published_on" in ($1, $2) order by "isbn" asc limit $3 offset $4
select "id" and all the others from "books" where "published_on" is not null limit $1 offset $2
select "id" and all the others from "books" where "published_on" is not null order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where "published_on" is null limit $1 offset $2
select "id" and all the others from "books" where "published_on" is null order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where "rating" < $1 limit $2 offset $3
select "id" and all the others from "books" where "rating" < $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "rating" <= $1 limit $2 offset $3
select "id" and all the others from "books" where "rating" <= $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "rating" = $1 limit $2 offset $3
select "id" and all the others from "books" where "rating" = $1 order by "id" asc limit $2 offset $3
select "id" and all the others from "books" where "rating" = $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "rating" > $1 limit $2 offset $3
select "id" and all the others from "books" where "rating" > $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "rating" >= $1 limit $2 offset $3
select "id" and all the others from "books" where "rating" >= $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "rating" in ($1) order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "rating" in ($1, $2) order by "isbn" asc limit $3 offset $4
select "id" and all the others from "books" where "rating" is not null limit $1 offset $2
select "id" and all the others from "books" where "rating" is not null order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where "rating" is null limit $1 offset $2
select "id" and all the others from "books" where "rating" is null order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where "signature" is not null limit $1 offset $2
select "id" and all the others from "books" where "signature" is null limit $1 offset $2
select "id" and all the others from "books" where "sold_at" < $1 limit $2 offset $3
select "id" and all the others from "books" where "sold_at" < $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "sold_at" <= $1 limit $2 offset $3
select "id" and all the others from "books" where "sold_at" <= $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "sold_at" = $1 limit $2 offset $3
select "id" and all the others from "books" where "sold_at" = $1 order by "id" asc limit $2 offset $3
select "id" and all the others from "books" where "sold_at" = $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "sold_at" > $1 limit $2 offset $3
select "id" and all the others from "books" where "sold_at" > $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "sold_at" >= $1 limit $2 offset $3
select "id" and all the others from "books" where "sold_at" >= $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "sold_at" in ($1) order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "sold_at" in ($1, $2) order by "isbn" asc limit $3 offset $4
select "id" and all the others from "books" where "sold_at" is not null limit $1 offset $2
select "id" and all the others from "books" where "sold_at" is not null order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where "sold_at" is null limit $1 offset $2
select "id" and all the others from "books" where "sold_at" is null order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where "tags" is not null limit $1 offset $2
select "id" and all the others from "books" where "tags" is null limit $1 offset $2
select "id" and all the others from "books" where "title" < $1 limit $2 offset $3
select "id" and all the others from "books" where "title" < $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "title" <= $1 limit $2 offset $3
select "id" and all the others from "books" where "title" <= $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "title" = $1 limit $2 offset $3
select "id" and all the others from "books" where "title" = $1 order by "id" asc limit $2 offset $3
select "id" and all the others from "books" where "title" = $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "title" = $1 order by "title" asc limit $2 offset $3
select "id" and all the others from "books" where "title" > $1 limit $2 offset $3
select "id" and all the others from "books" where "title" > $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "title" >= $1 limit $2 offset $3
select "id" and all the others from "books" where "title" >= $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "title" ilike $1 order by "title" asc limit $2 offset $3
select "id" and all the others from "books" where "title" in ($1) order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "title" in ($1, $2) order by "isbn" asc limit $3 offset $4
select "id" and all the others from "books" where "title" is not null limit $1 offset $2
select "id" and all the others from "books" where "title" is not null order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where "title" is null limit $1 offset $2
select "id" and all the others from "books" where "title" is null order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where "weight" < $1 limit $2 offset $3
select "id" and all the others from "books" where "weight" < $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "weight" <= $1 limit $2 offset $3
select "id" and all the others from "books" where "weight" <= $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "weight" = $1 limit $2 offset $3
select "id" and all the others from "books" where "weight" = $1 order by "id" asc limit $2 offset $3
select "id" and all the others from "books" where "weight" = $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "weight" > $1 limit $2 offset $3
select "id" and all the others from "books" where "weight" > $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "weight" >= $1 limit $2 offset $3
select "id" and all the others from "books" where "weight" >= $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "weight" in ($1) order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "weight" in ($1, $2) order by "isbn" asc limit $3 offset $4
select "id" and all the others from "books" where "weight" is not null limit $1 offset $2
select "id" and all the others from "books" where "weight" is not null order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where "weight" is null limit $1 offset $2
select "id" and all the others from "books" where "weight" is null order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where ("books"."copies" = $1)
select "id" and all the others from "books" where ("books"."discount" = $1)
select "id" and all the others from "books" where ("books"."genre" = $1)
select "id" and all the others from "books" where ("books"."in_stock" = $1)
select "id" and all the others from "books" where ("books"."opens_at" = $1)
select "id" and all the others from "books" where ("books"."pages" = $1)
select "id" and all the others from "books" where ("books"."price" = $1)
select "id" and all the others from "books" where ("books"."printed_at" = $1)
select "id" and all the others from "books" where ("books"."published_on" = $1)
select "id" and all the others from "books" where ("books"."rating" = $1)
select "id" and all the others from "books" where ("books"."sold_at" = $1)
select "id" and all the others from "books" where ("books"."title" = $1)
select "id" and all the others from "books" where ("books"."weight" = $1)
select "id" and all the others from "books" where ("copies" < $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("copies" < $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("copies" <= $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("copies" <= $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("copies" = $1 and false) order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("copies" = $1 and true) order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("copies" = $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("copies" = $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("copies" > $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("copies" > $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("copies" >= $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("copies" >= $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("copies" in ($1)) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("copies" is not null) is not true order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where ("copies" is null) is not true order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where ("cover" = $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("cover" = $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("cover" in ($1)) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("cover" is not null) is not true order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where ("cover" is null) is not true order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where ("discount" < $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("discount" < $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("discount" <= $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("discount" <= $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("discount" = $1 and false) order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("discount" = $1 and true) order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("discount" = $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("discount" = $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("discount" > $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("discount" > $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("discount" >= $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("discount" >= $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("discount" in ($1)) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("discount" is not null) is not true order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where ("discount" is null) is not true order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where ("genre" = $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("genre" = $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("genre" in ($1)) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("genre" is not null) is not true order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where ("genre" is null) is not true order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where ("id" = $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("in_stock" = $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("in_stock" = $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("in_stock" in ($1)) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("in_stock" is not null) is not true order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where ("in_stock" is null) is not true order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where ("loan_period" is not null) is not true order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where ("loan_period" is null) is not true order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where ("opens_at" < $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("opens_at" < $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("opens_at" <= $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("opens_at" <= $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("opens_at" = $1 and false) order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("opens_at" = $1 and true) order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("opens_at" = $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("opens_at" = $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("opens_at" > $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("opens_at" > $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("opens_at" >= $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("opens_at" >= $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("opens_at" in ($1)) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("opens_at" is not null) is not true order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where ("opens_at" is null) is not true order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where ("pages" < $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("pages" < $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("pages" <= $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("pages" <= $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("pages" = $1 and false) order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("pages" = $1 and true) order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("pages" = $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("pages" = $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("pages" > $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("pages" > $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("pages" >= $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("pages" >= $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("pages" in ($1)) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("pages" is not null) is not true order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where ("pages" is null) is not true order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where ("price" < $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("price" < $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("price" <= $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("price" <= $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("price" = $1 and false) order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("price" = $1 and true) order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("price" = $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("price" = $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("price" > $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("price" > $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("price" >= $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("price" >= $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("price" in ($1)) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("price" is not null) is not true order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where ("price" is null) is not true order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where ("printed_at" < $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("printed_at" < $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("printed_at" <= $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("printed_at" <= $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("printed_at" = $1 and false) order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("printed_at" = $1 and true) order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("printed_at" = $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("printed_at" = $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("printed_at" > $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("printed_at" > $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("printed_at" >= $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("printed_at" >= $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("printed_at" in ($1)) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("printed_at" is not null) is not true order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where ("printed_at" is null) is not true order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where ("published_on" < $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("published_on" < $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("published_on" <= $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("published_on" <= $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("published_on" = $1 and false) order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("published_on" = $1 and true) order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("published_on" = $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("published_on" = $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("published_on" > $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("published_on" > $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("published_on" >= $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("published_on" >= $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("published_on" in ($1)) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("published_on" is not null) is not true order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where ("published_on" is null) is not true order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where ("rating" < $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("rating" < $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("rating" <= $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("rating" <= $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("rating" = $1 and false) order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("rating" = $1 and true) order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("rating" = $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("rating" = $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("rating" > $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("rating" > $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("rating" >= $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("rating" >= $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("rating" in ($1)) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("rating" is not null) is not true order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where ("rating" is null) is not true order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where ("sold_at" < $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("sold_at" < $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("sold_at" <= $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("sold_at" <= $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("sold_at" = $1 and false) order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("sold_at" = $1 and true) order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("sold_at" = $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("sold_at" = $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("sold_at" > $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("sold_at" > $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("sold_at" >= $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("sold_at" >= $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("sold_at" in ($1)) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("sold_at" is not null) is not true order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where ("sold_at" is null) is not true order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where ("title" < $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("title" < $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("title" <= $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("title" <= $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("title" = $1 and false) order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("title" = $1 and true) order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("title" = $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("title" = $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("title" = $1) is not true order by "title" asc limit $2 offset $3
select "id" and all the others from "books" where ("title" > $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("title" > $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("title" >= $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("title" >= $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("title" in ($1)) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("title" is not null) is not true order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where ("title" is null) is not true order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where ("weight" < $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("weight" < $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("weight" <= $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("weight" <= $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("weight" = $1 and false) order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("weight" = $1 and true) order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("weight" = $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("weight" = $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("weight" > $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("weight" > $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("weight" >= $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("weight" >= $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("weight" in ($1)) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("weight" is not null) is not true order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where ("weight" is null) is not true order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where (("copies" = $1 and true)) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where (("copies" = $1) is not true) is not true limit $2 offset $3
select "id" and all the others from "books" where (("copies" = $1) is not true) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where (("cover" = $1) is not true) is not true limit $2 offset $3
select "id" and all the others from "books" where (("cover" = $1) is not true) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where (("discount" = $1 and true)) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where (("discount" = $1) is not true) is not true limit $2 offset $3
select "id" and all the others from "books" where (("discount" = $1) is not true) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where (("genre" = $1) is not true) is not true limit $2 offset $3
select "id" and all the others from "books" where (("genre" = $1) is not true) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where (("id" = $1) is not true) is not true limit $2 offset $3
select "id" and all the others from "books" where (("in_stock" = $1) is not true) is not true limit $2 offset $3
select "id" and all the others from "books" where (("in_stock" = $1) is not true) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where (("opens_at" = $1 and true)) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where (("opens_at" = $1) is not true) is not true limit $2 offset $3
select "id" and all the others from "books" where (("opens_at" = $1) is not true) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where (("pages" = $1 and true)) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where (("pages" = $1) is not true) is not true limit $2 offset $3
select "id" and all the others from "books" where (("pages" = $1) is not true) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where (("price" = $1 and true)) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where (("price" = $1) is not true) is not true limit $2 offset $3
select "id" and all the others from "books" where (("price" = $1) is not true) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where (("printed_at" = $1 and true)) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where (("printed_at" = $1) is not true) is not true limit $2 offset $3
select "id" and all the others from "books" where (("printed_at" = $1) is not true) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where (("published_on" = $1 and true)) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where (("published_on" = $1) is not true) is not true limit $2 offset $3
select "id" and all the others from "books" where (("published_on" = $1) is not true) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where (("rating" = $1 and true)) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where (("rating" = $1) is not true) is not true limit $2 offset $3
select "id" and all the others from "books" where (("rating" = $1) is not true) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where (("sold_at" = $1 and true)) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where (("sold_at" = $1) is not true) is not true limit $2 offset $3
select "id" and all the others from "books" where (("sold_at" = $1) is not true) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where (("title" = $1 and true)) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where (("title" = $1) is not true) is not true limit $2 offset $3
select "id" and all the others from "books" where (("title" = $1) is not true) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where (("weight" = $1 and true)) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where (("weight" = $1) is not true) is not true limit $2 offset $3
select "id" and all the others from "books" where (("weight" = $1) is not true) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ((nullif(concat("loan_period"), '') = $1) is not true) is not true limit $2 offset $3
select "id" and all the others from "books" where ((nullif(concat("loan_period"), '') = $1) is not true) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where (exists (select 1 from "authors" as "related1" where "related1"."id" = "books"."author_id" and "related1"."name" = $1))
select "id" and all the others from "books" where (false) is not true order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where (nullif(concat("loan_period"), '') = $1) is not true limit $2 offset $3
select "id" and all the others from "books" where (nullif(concat("loan_period"), '') = $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where (nullif(concat("loan_period"), '') in ($1)) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where exists (select 1 from "authors" as "related1" where "related1"."id" = "books"."author_id" and "related1"."name" = $1) order by "id" asc limit $2 offset $3
select "id" and all the others from "books" where exists (select 1 from "placements" as "related1" where "related1"."book_id" = "books"."id" and "related1"."copies" > $1 and exists (select 1 from "shelves" as "related2" where "related2"."code" = "related1"."shelf_code" and "related2"."code" = $2)) order by "id" asc limit $3 offset $4
select "id" and all the others from "books" where exists (select 1 from "placements" as "related1" where "related1"."book_id" = "books"."id" and exists (select 1 from "shelves" as "related2" where "related2"."code" = "related1"."shelf_code" and "related2"."code" = $1)) order by "id" asc limit $2 offset $3
select "id" and all the others from "books" where exists (select 1 from "placements" as "related1" where "related1"."book_id" = "books"."id" and exists (select 1 from "shelves" as "related2" where "related2"."code" = "related1"."shelf_code")) order by "id" asc limit $1 offset $2
select "id" and all the others from "books" where false order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where not (exists (select 1 from "authors" as "related1" where "related1"."id" = "books"."author_id" and "related1"."name" = $1)) order by "id" asc limit $2 offset $3
select "id" and all the others from "books" where not (exists (select 1 from "placements" as "related1" where "related1"."book_id" = "books"."id" and "related1"."copies" > $1 and exists (select 1 from "shelves" as "related2" where "related2"."code" = "related1"."shelf_code"))) order by "id" asc limit $2 offset $3
select "id" and all the others from "books" where not (exists (select 1 from "placements" as "related1" where "related1"."book_id" = "books"."id" and exists (select 1 from "shelves" as "related2" where "related2"."code" = "related1"."shelf_code"))) order by "id" asc limit $1 offset $2
select "id" and all the others from "books" where nullif(concat("loan_period"), '') = $1 limit $2 offset $3
select "id" and all the others from "books" where nullif(concat("loan_period"), '') = $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where nullif(concat("loan_period"), '') in ($1) order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where nullif(concat("loan_period"), '') in ($1, $2) order by "isbn" asc limit $3 offset $4
select "id" from "authors" order by "id" asc limit $1 offset $2
select "id" from "books" order by "id" asc limit $1 offset $2
select "id" from "books" where "pages" < $1 and "isbn" = $2 order by "price" desc, "id" asc limit $3 offset $4
select "id" from "books" where ("rating" is not null) is not true order by "price" desc, "id" asc limit $1 offset $2
select "id" from "categories" order by "id" asc limit $1 offset $2
select "id" from "oddities" order by "id" asc limit $1 offset $2
select "id" from "replies" order by "id" asc limit $1 offset $2
select "id", "bio" from "authors" where ("bio" is null) is not true order by "id" asc limit $1 offset $2
select "id", "book_id", "reviewer", "text" from "replies" where not (exists (select 1 from "reviews" as "related1" where "related1"."book_id" = "replies"."book_id" and "related1"."reviewer" = "replies"."reviewer")) order by "id" asc limit $1 offset $2
select "id", "constructor" from "oddities" order by "constructor" asc nulls last limit $1 offset $2
select "id", "hasOwnProperty" from "oddities" order by "hasOwnProperty" asc nulls last limit $1 offset $2
select "id", "name" from "authors" where ("bio" is null) is not true order by "id" asc limit $1 offset $2
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" order by "constructor" asc nulls last limit $1 offset $2
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" order by "hasOwnProperty" asc nulls last limit $1 offset $2
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" order by "then" asc nulls last limit $1 offset $2
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" order by "toJSON" asc nulls last limit $1 offset $2
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" order by "toString" asc nulls last limit $1 offset $2
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" order by "valueOf" asc nulls last limit $1 offset $2
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" where "constructor" = $1 order by "constructor" asc nulls last limit $2 offset $3
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" where "constructor" ilike $1 order by "constructor" asc nulls last limit $2 offset $3
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" where "hasOwnProperty" = $1 order by "hasOwnProperty" asc nulls last limit $2 offset $3
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" where "hasOwnProperty" ilike $1 order by "hasOwnProperty" asc nulls last limit $2 offset $3
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" where "id" = $1
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" where "then" = $1 order by "then" asc nulls last limit $2 offset $3
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" where "then" ilike $1 order by "then" asc nulls last limit $2 offset $3
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" where "toJSON" = $1 order by "toJSON" asc nulls last limit $2 offset $3
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" where "toJSON" ilike $1 order by "toJSON" asc nulls last limit $2 offset $3
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" where "toString" = $1 order by "toString" asc nulls last limit $2 offset $3
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" where "toString" ilike $1 order by "toString" asc nulls last limit $2 offset $3
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" where "valueOf" = $1 order by "valueOf" asc nulls last limit $2 offset $3
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" where "valueOf" ilike $1 order by "valueOf" asc nulls last limit $2 offset $3
select "id", "name", "email", "bio" from "authors" limit $1 offset $2
select "id", "name", "email", "bio" from "authors" order by "id" asc limit $1 offset $2
select "id", "name", "email", "bio" from "authors" order by "name" asc limit $1 offset $2
select "id", "name", "email", "bio" from "authors" order by "name" desc, "id" asc limit $1 offset $2
select "id", "name", "email", "bio" from "authors" where "bio" ilike $1 order by "id" asc limit $2 offset $3
select "id", "name", "email", "bio" from "authors" where "bio" ilike $1 order by "name" asc limit $2 offset $3
select "id", "name", "email", "bio" from "authors" where "bio" is null order by "id" asc limit $1 offset $2
select "id", "name", "email", "bio" from "authors" where "id" = $1
select "id", "name", "email", "bio" from "authors" where "id" = $1 and "name" = $2
select "id", "name", "email", "bio" from "authors" where "id" = $1 and "name" = $2 for update
select "id", "name", "email", "bio" from "authors" where "id" = $1 and "name" in ($2, $3)
select "id", "name", "email", "bio" from "authors" where "id" = $1 and exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id")
select "id", "name", "email", "bio" from "authors" where "id" = $1 and false
select "id", "name", "email", "bio" from "authors" where "id" = $1 for update
select "id", "name", "email", "bio" from "authors" where "id" = any ($1) order by "id" asc limit $2 offset $3
select "id", "name", "email", "bio" from "authors" where "id" in ($1) order by "id" asc limit $2 offset $3
select "id", "name", "email", "bio" from "authors" where "id" in ($1, $2, $3) order by "id" asc limit $4 offset $5
select "id", "name", "email", "bio" from "authors" where "name" < $1 order by "id" asc limit $2 offset $3
select "id", "name", "email", "bio" from "authors" where "name" = $1 and "name" = $2 limit $3 offset $4
select "id", "name", "email", "bio" from "authors" where "name" = $1 limit $2 offset $3
select "id", "name", "email", "bio" from "authors" where "name" = $1 order by "id" asc limit $2 offset $3
select "id", "name", "email", "bio" from "authors" where "name" in ($1, $2) order by "id" asc limit $3 offset $4
select "id", "name", "email", "bio" from "authors" where ("authors"."bio" is null)
select "id", "name", "email", "bio" from "authors" where ("authors"."id" = any ($1))
select "id", "name", "email", "bio" from "authors" where ("authors"."id" in ($1))
select "id", "name", "email", "bio" from "authors" where ("authors"."id" in ($1, $2, $3))
select "id", "name", "email", "bio" from "authors" where ("authors"."name" = $1)
select "id", "name", "email", "bio" from "authors" where ("bio" = $1 and ("name" = $2) is not true) order by "id" asc limit $3 offset $4
select "id", "name", "email", "bio" from "authors" where ("bio" ilike $1) is not true order by "name" asc limit $2 offset $3
select "id", "name", "email", "bio" from "authors" where ("bio" is null) is not true order by "id" asc limit $1 offset $2
select "id", "name", "email", "bio" from "authors" where ("name" <= $1 and ("name", "id") > ($2, $3)) order by "id" asc limit $4 offset $5
select "id", "name", "email", "bio" from "authors" where ("name" = $1 or "name" = $2) order by "id" asc limit $3 offset $4
select "id", "name", "email", "bio" from "authors" where ("name" = $1) is not true order by "id" asc limit $2 offset $3
select "id", "name", "email", "bio" from "authors" where ("name" in ($1, $2) or "bio" ilike $3) and "id" = $4 order by "name" asc limit $5 offset $6
select "id", "name", "email", "bio" from "authors" where ("name" in ($1, $2) or "bio" ilike $3) order by "name" asc limit $4 offset $5
select "id", "name", "email", "bio" from "authors" where ("name" in ($1, $2, $3) or "bio" ilike $4) order by "name" asc limit $5 offset $6
select "id", "name", "email", "bio" from "authors" where (("authors"."bio" = $1 and ("authors"."name" = $2) is not true))
select "id", "name", "email", "bio" from "authors" where (("authors"."name" = $1 or "authors"."name" = $2))
select "id", "name", "email", "bio" from "authors" where (("authors"."name" = $1) is not true)
select "id", "name", "email", "bio" from "authors" where (("bio" ilike $1 and "name" = $2)) is not true order by "name" asc limit $3 offset $4
select "id", "name", "email", "bio" from "authors" where (("bio" ilike $1 or "name" = $2)) is not true order by "name" asc limit $3 offset $4
select "id", "name", "email", "bio" from "authors" where (("bio" ilike $1) is not true) is not true order by "name" asc limit $2 offset $3
select "id", "name", "email", "bio" from "authors" where (exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id" and "related1"."price" > $1) and exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id" and "related1"."pages" = $2)) order by "id" asc limit $3 offset $4
select "id", "name", "email", "bio" from "authors" where (exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id" and "related1"."title" = $1))
select "id", "name", "email", "bio" from "authors" where (false)
select "id", "name", "email", "bio" from "authors" where exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id" and "related1"."price" > $1) order by "id" asc limit $2 offset $3
select "id", "name", "email", "bio" from "authors" where exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id" and "related1"."title" = $1) order by "id" asc limit $2 offset $3
select "id", "name", "email", "bio" from "authors" where exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id" and ("related1"."price" > $1 and "related1"."pages" = $2)) order by "id" asc limit $3 offset $4
select "id", "name", "email", "bio" from "authors" where exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id" and ("related1"."price" > $1) is not true) order by "id" asc limit $2 offset $3
select "id", "name", "email", "bio" from "authors" where exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id" and exists (select 1 from "authors" as "related2" where "related2"."id" = "related1"."author_id" and "related2"."name" = $1)) order by "id" asc limit $2 offset $3
select "id", "name", "email", "bio" from "authors" where exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id" and exists (select 1 from "authors" as "related2" where "related2"."id" = "related1"."author_id" and not (exists (select 1 from "books" as "related3" where "related3"."author_id" = "related2"."id" and "related3"."title" = $1)))) order by "id" asc limit  and so on: 412 characters, 3a910e1f91ff0d71
select "id", "name", "email", "bio" from "authors" where exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id") order by "id" asc limit $1 offset $2
select "id", "name", "email", "bio" from "authors" where false order by "id" asc limit $1 offset $2
select "id", "name", "email", "bio" from "authors" where not (exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id" and "related1"."price" > $1)) order by "id" asc limit $2 offset $3
select "id", "name", "email", "bio" from "authors" where not (exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id")) order by "id" asc limit $1 offset $2
select "id", "name", "email", "bio" from "authors" where true
select "id", "name", "parent_id" from "categories" where "id" = $1 and exists (select 1 from "categories" as "related1" where "related1"."id" = "categories"."parent_id" and exists (select 1 from "categories" as "related2" where "related2"."id" = "related1"."parent_id" and "related2"."name" = $2))
select "id", "name", "parent_id" from "categories" where (exists (select 1 from "categories" as "related1" where "related1"."id" = "categories"."parent_id" and "related1"."name" = $1))
select "id", "name", "parent_id" from "categories" where (exists (select 1 from "categories" as "related1" where "related1"."id" = "categories"."parent_id" and exists (select 1 from "categories" as "related2" where "related2"."id" = "related1"."parent_id" and "related2"."name" = $1)))
select "id", "name", "parent_id" from "categories" where (not (exists (select 1 from "categories" as "related1" where "related1"."id" = "categories"."parent_id" and "related1"."name" = $1)))
select "id", "name", "parent_id" from "categories" where exists (select 1 from "categories" as "related1" where "related1"."id" = "categories"."parent_id" and "related1"."name" = $1) order by "id" asc limit $2 offset $3
select "id", "name", "parent_id" from "categories" where exists (select 1 from "categories" as "related1" where "related1"."id" = "categories"."parent_id" and exists (select 1 from "categories" as "related2" where "related2"."id" = "related1"."parent_id" and "related2"."name" = $1)) order by "id" asc limit $2 offset $3
select "id", "name", "parent_id" from "categories" where exists (select 1 from "categories" as "related1" where "related1"."parent_id" = "categories"."id" and "related1"."name" = $1) order by "id" asc limit $2 offset $3
select "id", "name", "parent_id" from "categories" where exists (select 1 from "categories" as "related1" where "related1"."parent_id" = "categories"."id" and exists (select 1 from "categories" as "related2" where "related2"."id" = "related1"."parent_id" and "related2"."name" = $1)) order by "id" asc limit $2 offset $3
select "id", "name", "parent_id" from "categories" where exists (select 1 from "categories" as "related1" where "related1"."parent_id" = "categories"."id" and exists (select 1 from "categories" as "related2" where "related2"."parent_id" = "related1"."id")) order by "id" asc limit $1 offset $2
select "id", "name", "parent_id" from "categories" where not (exists (select 1 from "categories" as "related1" where "related1"."id" = "categories"."parent_id" and "related1"."name" = $1)) order by "id" asc limit $2 offset $3
select "id", "name", "parent_id" from "categories" where not (exists (select 1 from "categories" as "related1" where "related1"."parent_id" = "categories"."id")) order by "id" asc limit $1 offset $2
select "id", "price" from "cheap_books" order by "price" desc, "id" asc limit $1 offset $2
select "id", "sold_at" from "books" order by "price" desc, "id" asc limit $1 offset $2
select "id", "then" from "oddities" order by "then" asc nulls last limit $1 offset $2
select "id", "title" from "books" order by "pages" asc, "id" asc limit $1 offset $2
select "id", "title" from "books" order by "price" desc, "id" asc limit $1 offset $2
select "id", "title" from "books" where ("rating" is not null) is not true order by "price" desc, "id" asc limit $1 offset $2
select "id", "title", "price", "rating" from "cheap_books" order by "id" asc limit $1 offset $2
select "id", "title", "price", "rating" from "cheap_books" where "id" = $1
select "id", "toJSON" from "oddities" order by "toJSON" asc nulls last limit $1 offset $2
select "id", "toString" from "oddities" order by "toString" asc nulls last limit $1 offset $2
select "id", "valueOf" from "oddities" order by "valueOf" asc nulls last limit $1 offset $2
select "modelrest_found".* from unnest(array(select "book_id" from "reviews" limit 0) || $1, array(select "reviewer" from "reviews" limit 0) || $2) with ordinality as "record"("key0", "key1", "ordinal"), lateral (select "related"."id", "related"."book_id", "related"."reviewer", "related"."text", "record"."ordinal" from "replies" as "related" where "related"."book_id" = "record"."key0" and "related and so on: 489 characters, ff418d0fa21c5b18
select "modelrest_found".* from unnest(array(select "id" from "authors" limit 0) || $1) with ordinality as "record"("key0", "ordinal"), lateral (select "related"."id", "related"."title", "record"."ordinal" from "books" as "related" where "related"."author_id" = "record"."key0" order by "related"."price" desc limit $2) as "modelrest_found"
select "modelrest_found".* from unnest(array(select "id" from "authors" limit 0) || $1) with ordinality as "record"("key0", "ordinal"), lateral (select "related"."id", "related"."title", "related"."isbn", "related"."price", "related"."discount", "related"."rating", "related"."weight", "related"."pages", "related"."copies", "related"."in_stock", "related"."genre", "related"."published_on", "related and so on: 818 characters, f9473c79b237a095
select "modelrest_found".* from unnest(array(select "id" from "authors" limit 0) || $1) with ordinality as "record"("key0", "ordinal"), lateral (select "related"."id", "related"."title", "related"."isbn", "related"."price", "related"."discount", "related"."rating", "related"."weight", "related"."pages", "related"."copies", "related"."in_stock", "related"."genre", "related"."published_on", "related and so on: 822 characters, 4b2586a73ea15732
select "modelrest_found".* from unnest(array(select "id" from "authors" limit 0) || $1) with ordinality as "record"("key0", "ordinal"), lateral (select "related"."id", "related"."title", "related"."isbn", "related"."price", "related"."discount", "related"."rating", "related"."weight", "related"."pages", "related"."copies", "related"."in_stock", "related"."genre", "related"."published_on", "related and so on: 849 characters, 37c7dd070ee18553
select "modelrest_found".* from unnest(array(select "id" from "authors" limit 0) || $1) with ordinality as "record"("key0", "ordinal"), lateral (select "related"."id", "related"."title", "related"."isbn", "related"."price", "related"."discount", "related"."rating", "related"."weight", "related"."pages", "related"."copies", "related"."in_stock", "related"."genre", "related"."published_on", "related and so on: 849 characters, 59176b4ce125f272
select "modelrest_found".* from unnest(array(select "id" from "authors" limit 0) || $1) with ordinality as "record"("key0", "ordinal"), lateral (select "related"."id", "related"."title", "related"."isbn", "related"."price", "related"."discount", "related"."rating", "related"."weight", "related"."pages", "related"."copies", "related"."in_stock", "related"."genre", "related"."published_on", "related and so on: 876 characters, 2c0996d9047f6525
select "modelrest_found".* from unnest(array(select "id" from "books" limit 0) || $1) with ordinality as "record"("key0", "ordinal"), lateral (select "related"."code", "related"."floor", "related"."capacity", "related"."built_at", "record"."ordinal" from "placements" as "link" inner join "shelves" as "related" on "link"."shelf_code" = "related"."code" where "link"."book_id" = "record"."key0" and " and so on: 481 characters, ee63a1f32281f657
select "modelrest_found".* from unnest(array(select "id" from "books" limit 0) || $1) with ordinality as "record"("key0", "ordinal"), lateral (select "related"."code", "related"."floor", "related"."capacity", "related"."built_at", "record"."ordinal" from "placements" as "link" inner join "shelves" as "related" on "link"."shelf_code" = "related"."code" where "link"."book_id" = "record"."key0" order and so on: 456 characters, 6bb6c00be79fd7a6
select "name", count(*) from "authors" where "name" in ($1, $2) and ("name" = $3) is not true group by "name" order by "name" asc nulls last limit $4
select "rating", count(*) from "books" group by "rating" order by "rating" desc nulls first limit $1
select "related"."id", "related"."name", "related"."email", "related"."bio", "record"."ordinal" from unnest(array(select "author_id" from "books" limit 0) || $1) with ordinality as "record"("key0", "ordinal"), "authors" as "related" where "related"."id" = "record"."key0"
select "related"."id", "related"."name", "related"."email", "related"."bio", "record"."ordinal" from unnest(array(select "author_id" from "books" limit 0) || $1) with ordinality as "record"("key0", "ordinal"), "authors" as "related" where "related"."id" = "record"."key0" and "related"."name" = $2
select "title", count(*) from "books" group by "title" order by "title" asc nulls last limit $1
select 1
select attname, format_type(atttypid, atttypmod), exists (
    select 1 from pg_constraint where conrelid = attrelid and conname = $1 and attnum = any (conkey) and contype = 'c'
  ) or exists (
    select 1 from pg_index join pg_class on pg_class.oid = indexrelid
    where indrelid = attrelid and relname = $2 and attnum = any (indkey)
  ), exists (select 1 from pg_index where indrelid = attrelid a and so on: 512 characters, a1a31b3c9ce595d3
select case when (not exists (select 1 from "authors" where "authors"."id" = $1)) then 1 else 0 end
select case when (not exists (select 1 from "authors" where "authors"."id" = $1)) then 1 else 0 end, case when (not exists (select 1 from "authors" where "authors"."id" = $2)) then 1 else 0 end
select case when (not exists (select 1 from "authors" where "authors"."id" = $1)) then 1 else 0 end, case when (not exists (select 1 from "authors" where "authors"."id" = $2)) then 1 else 0 end, case when (not exists (select 1 from "categories" where "categories"."id" = $3)) then 1 else 0 end
select case when (not exists (select 1 from "authors" where "authors"."id" = $1)) then 1 else 0 end, case when (not exists (select 1 from "categories" where "categories"."id" = $2)) then 1 else 0 end
select case when (not exists (select 1 from "books" where "books"."id" = $1)) then 1 else 0 end
select case when (not exists (select 1 from "categories" where "categories"."id" = $1)) then 1 else 0 end
select case when exists (select 1 from "books" where "books"."author_id" = (select "id" from "authors" where "id" = $1)) then 1 else 0 end, case when exists (select 1 from "books" where "books"."translator_id" = (select "id" from "authors" where "id" = $2)) then 1 else 0 end
select case when exists (select 1 from "categories" where "categories"."parent_id" = (select "id" from "categories" where "id" = $1)) then 1 else 0 end, case when exists (select 1 from "books" where "books"."category_id" = (select "id" from "categories" where "id" = $2)) then 1 else 0 end
select case when exists (select 1 from "reviews" where "reviews"."book_id" = (select "id" from "books" where "id" = $1)) then 1 else 0 end, case when exists (select 1 from "placements" where "placements"."book_id" = (select "id" from "books" where "id" = $2)) then 1 else 0 end
select case when exists (select asked."bio" from "authors" as asked where 1 = 0) then 1 else 0 end
select case when exists (select asked."email" from "authors" as asked where 1 = 0) then 1 else 0 end
select case when exists (select asked."email", asked."bio" from "authors" as asked where 1 = 0) then 1 else 0 end
select case when exists (select asked."id", asked."name" from "authors" as asked where 1 = 0) then 1 else 0 end
select case when exists (select asked."id", asked."name", asked."email", asked."bio" from "authors" as asked where 1 = 0) then 1 else 0 end
select case when exists (select asked."id", asked."name", asked."email", asked."bio" from "authors" as asked where 1 = 0) then 1 else 0 end, case when exists (select asked."id", asked."name", asked."parent_id" from "categories" as asked where 1 = 0) then 1 else 0 end
select case when exists (select asked."id", asked."name", asked."email", asked."bio" from "authors" as asked where 1 = 0) then 1 else 0 end, case when exists (select asked."id", asked."name", asked."parent_id" from "categories" as asked where 1 = 0) then 1 else 0 end, case when exists (select asked."id", asked."title", asked."isbn", asked."price", asked."discount", asked."rating" from "books" as a and so on: 435 characters, 7480a80f6111d6a5
select case when exists (select asked."id", asked."name", asked."email", asked."bio" from "authors" as asked where 1 = 0) then 1 else 0 end, case when exists (select asked."id", asked."name", asked."parent_id" from "categories" as asked where 1 = 0) then 1 else 0 end, case when exists (select asked."id", asked."title", asked."isbn", asked."price", asked."discount", asked."rating", asked."weight",  and so on: 1402 characters, 17fcd110e39b8f34
select case when exists (select asked."id", asked."name", asked."email", asked."bio" from "authors" as asked where 1 = 0) then 1 else 0 end, case when exists (select asked."id", asked."name", asked."parent_id" from "categories" as asked where 1 = 0) then 1 else 0 end, case when exists (select asked."id", asked."title", asked."isbn", asked."price", asked."discount", asked."rating", asked."weight",  and so on: 1544 characters, 183cf1806f8b44b4
select case when exists (select asked."id", asked."name", asked."email", asked."bio" from "authors" as asked where 1 = 0) then 1 else 0 end, case when exists (select asked."id", asked."name", asked."parent_id" from "categories" as asked where 1 = 0) then 1 else 0 end, case when exists (select asked."id", asked."title", asked."isbn", asked."price", asked."discount", asked."rating", asked."weight",  and so on: 1685 characters, 3fc363cc7cc50c9b
select case when exists (select asked."id", asked."name", asked."email", asked."bio" from "authors" as asked where 1 = 0) then 1 else 0 end, case when exists (select asked."id", asked."name", asked."parent_id" from "categories" as asked where 1 = 0) then 1 else 0 end, case when exists (select asked."id", asked."title", asked."isbn", asked."price", asked."discount", asked."rating", asked."weight",  and so on: 635 characters, b5088561396fefb3
select case when exists (select asked."id", asked."name", asked."parent_id" from "categories" as asked where 1 = 0) then 1 else 0 end
select case when exists (select asked."id", asked."title", asked."isbn", asked."price", asked."discount", asked."rating" from "books" as asked where 1 = 0) then 1 else 0 end
select case when exists (select asked."id", asked."title", asked."isbn", asked."price", asked."discount", asked."rating", asked."weight", asked."pages", asked."copies", asked."in_stock", asked."genre", asked."published_on", asked."printed_at", asked."sold_at", asked."opens_at", asked."cover", asked."meta", asked."tags", asked."loan_period", asked."signature", asked."author_id", asked."translator_i and so on: 498 characters, 9d1881e1692ceebd
select case when exists (select asked."loan_period", asked."signature", asked."author_id", asked."translator_id", asked."category_id", asked."title_length" from "books" as asked where 1 = 0) then 1 else 0 end, case when exists (select asked."book_id", asked."reviewer", asked."stars", asked."note" from "reviews" as asked where 1 = 0) then 1 else 0 end, case when exists (select asked."code", asked." and so on: 850 characters, a8f594939a42dd6e
select case when exists (select asked."weight", asked."pages", asked."copies", asked."in_stock", asked."genre", asked."published_on", asked."printed_at", asked."sold_at", asked."opens_at", asked."cover", asked."meta", asked."tags" from "books" as asked where 1 = 0) then 1 else 0 end
select case when not (to_regclass($1) is not null) then 1 else 0 end
select case when not (to_regclass($1) is not null) then 1 else 0 end, case when not (to_regclass($2) is not null) then 1 else 0 end, case when not (to_regclass($3) is not null) then 1 else 0 end, case when not (to_regclass($4) is not null) then 1 else 0 end, case when not (to_regclass($5) is not null) then 1 else 0 end, case when not (to_regclass($6) is not null) then 1 else 0 end, case when not ( and so on: 572 characters, e420f12d4b74770f
select case when relkind in ('r', 'm') and not relhassubclass and not relrowsecurity then reltuples end from pg_class where oid = to_regclass($1)
select cast($1 as character varying(100))
select cast($1 as character varying(13))
select cast($1 as character varying(200))
select cast($1 as integer)
select cast($1 as jsonb)
select cast($1 as numeric(10,2))
select cast($1 as timestamp(3) with time zone)
select coalesce(octet_length("cover"), 0) + coalesce(octet_length(("meta"::text)::text), 0) + coalesce(octet_length(("tags")::text), 0) + coalesce(octet_length(("signature")::text), 0), coalesce(octet_length(("meta"::text)::text), 0) + coalesce(octet_length(("tags")::text), 0) + coalesce(octet_length(("signature")::text), 0) from "books" order by "price" desc, "id" asc limit $1 offset $2
select count(*) from "authors"
select count(*) from "authors" where "bio" = $1
select count(*) from "authors" where "name" < $1
select count(*) from "authors" where "name" = $1
select count(*) from "authors" where "name" = $1 and "name" = $2
select count(*) from "authors" where "name" = any ($1)
select count(*) from "authors" where "name" in ($1, $2)
select count(*) from "authors" where ("id" = $1 and "id" = $2)
select count(*) from "authors" where ("id" = $1 and "name" = $2)
select count(*) from "authors" where ("id" = $1 and ("name" = $2) is not true)
select count(*) from "authors" where ("id" = $1 or "id" = $2)
select count(*) from "authors" where ("name" = $1 and "id" = $2)
select count(*) from "authors" where ("name" = $1) is not true
select count(*) from "authors" where (false or true)
select count(*) from "authors" where (false)
select count(*) from "authors" where (false) is not true
select count(*) from "authors" where (true) is not true
select count(*) from "authors" where false
select count(*) from "books"
select count(*) from "books" where "cover" in ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, $50, $51, $52, $53, $54, $55, $56, $57, $58, $59, $60, $61, $62, $63, $64, $65, $66, $67, $68, $69, $70, $71, $72, $7 and so on: 538 characters, 91f64c7e4be08522
select count(*) from "books" where "cover" in ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, $50, $51, $52, $53, $54, $55, $56, $57, $58, $59, $60, $61, $62, $63, $64, $65, $66, $67, $68, $69, $70, $71, $72, $7 and so on: 5939 characters, 126b6bd5b311a139
select count(*) from "books" where "genre" = $1 and "title" = $2 limit $3
select count(*) from "books" where (nullif(concat("loan_period"), '') = $1) is not true and "id" = $2
select count(*) from "books" where exists (select 1 from "authors" as "related1" where "related1"."id" = "books"."author_id" and "related1"."name" = $1)
select count(*) from "books" where exists (select 1 from "authors" as "related1" where "related1"."id" = "books"."author_id" and "related1"."name" = $1) limit $2
select count(*) from "books" where exists (select 1 from "authors" as "related1" where "related1"."id" = "books"."translator_id" and ("related1"."bio" ilike $1) is not true)
select count(*) from "books" where exists (select 1 from "authors" as "related1" where "related1"."id" = "books"."translator_id" and (true) is not true)
select count(*) from "books" where exists (select 1 from "authors" as "related1" where "related1"."id" = "books"."translator_id")
select count(*) from "books" where not (exists (select 1 from "authors" as "related1" where "related1"."id" = "books"."author_id" and "related1"."name" = $1))
select count(*) from "books" where not (exists (select 1 from "authors" as "related1" where "related1"."id" = "books"."translator_id" and "related1"."bio" ilike $1))
select count(*) from "books" where not (exists (select 1 from "authors" as "related1" where "related1"."id" = "books"."translator_id"))
select count(*) from "books" where nullif(concat("loan_period"), '') = $1 and "id" = $2
select count(*) from "categories" where exists (select 1 from "categories" as "related1" where "related1"."id" = "categories"."parent_id" and exists (select 1 from "categories" as "related2" where "related2"."id" = "related1"."parent_id" and "related2"."name" = $1))
select count(*) from "cheap_books"
select count(*) from (select 1 from "authors" limit $1) as counted
select count(*) from (select 1 from "authors" where "name" = $1 and "name" = $2 limit $3) as counted
select count(*) from (select 1 from "authors" where "name" = $1 limit $2) as counted
select count(*), "record"."ordinal" from unnest(array(select "book_id" from "reviews" limit 0) || $1, array(select "reviewer" from "reviews" limit 0) || $2) with ordinality as "record"("key0", "key1", "ordinal"), "replies" as "related" where "related"."book_id" = "record"."key0" and "related"."reviewer" = "record"."key1" group by "record"."ordinal"
select count(*), "record"."ordinal" from unnest(array(select "id" from "authors" limit 0) || $1) with ordinality as "record"("key0", "ordinal"), "books" as "related" where "related"."author_id" = "record"."key0" and "related"."pages" = $2 group by "record"."ordinal"
select count(*), "record"."ordinal" from unnest(array(select "id" from "authors" limit 0) || $1) with ordinality as "record"("key0", "ordinal"), "books" as "related" where "related"."author_id" = "record"."key0" group by "record"."ordinal"
select count(*), "record"."ordinal" from unnest(array(select "id" from "books" limit 0) || $1) with ordinality as "record"("key0", "ordinal"), "placements" as "link" inner join "shelves" as "related" on "link"."shelf_code" = "related"."code" where "link"."book_id" = "record"."key0" and "link"."copies" > $2 and "related"."code" = $3 group by "record"."ordinal"
select count(*), sum("price")::text, sum("price")::text, count("price"), min("price"), max("pages") from "books" limit $1
select current_database()
select current_setting('DateStyle') as s0, current_setting('extra_float_digits') as s1, current_setting('bytea_output') as s2
select sum("copies")::text, sum("copies")::text, count("copies"), sum("discount")::text, sum("discount")::text, count("discount") from "books" limit $1
select sum("discount")::text from "books" limit $1
select sum("discount")::text, count("discount") from "books" where "pages" = $1 limit $2
select sum("price")::text from "books" limit $1
select sum("rating"::double precision), sum("rating"::double precision), count("rating") from "books" limit $1
select to_char(date_trunc('day', timezone('UTC', "printed_at") + (case when extract(epoch from "printed_at") < 1268550000 then case when extract(epoch from "printed_at") < -147891600 then case when extract(epoch from "printed_at") < -955303200 then case when extract(epoch from "printed_at") < -1315155600 then case when extract(epoch from "printed_at") < -1491760800 then case when extract(epoch fro and so on: 27838 characters, 712c0460c4880460
select to_char(date_trunc('hour', timezone('UTC', "printed_at") + (case when extract(epoch from "printed_at") < 1995498000 then case when extract(epoch from "printed_at") < 941331600 then case when extract(epoch from "printed_at") < 401850000 then case when extract(epoch from "printed_at") < -765936000 then case when extract(epoch from "printed_at") < -938905200 then case when extract(epoch from " and so on: 20233 characters, eb8bb84eda7d9c0b
select to_char(date_trunc('month', timezone('UTC', "printed_at")), 'YYYY-MM-DD') as "part0 of group", count(*) from "books" group by "part0 of group" order by "part0 of group" asc nulls last limit $1
select to_char(date_trunc('quarter', timezone('UTC', "printed_at")), 'YYYY-MM-DD') as "part0 of group", count(*) from "books" group by "part0 of group" order by "part0 of group" asc nulls last limit $1
select to_char(date_trunc('week', timezone('UTC', "printed_at")), 'YYYY-MM-DD') as "part0 of group", count(*) from "books" group by "part0 of group" order by "part0 of group" asc nulls last limit $1
select to_char(date_trunc('year', timezone('UTC', "printed_at") + (case when extract(epoch from "printed_at") < 1995498000 then case when extract(epoch from "printed_at") < 941331600 then case when extract(epoch from "printed_at") < 401850000 then case when extract(epoch from "printed_at") < -765936000 then case when extract(epoch from "printed_at") < -938905200 then case when extract(epoch from " and so on: 20220 characters, e683f14694952932
select to_char(date_trunc('year', timezone('UTC', "printed_at")), 'YYYY-MM-DD') as "part0 of group", count(*) from "books" group by "part0 of group" order by "part0 of group" asc nulls last limit $1
update "authors" set "bio" = $1 where "id" = $2 and "bio" is null returning "id", "name", "email", "bio"
update "authors" set "bio" = $1 where "id" = $2 and "name" = $3 returning "id", "name", "email", "bio"
update "authors" set "bio" = $1 where "id" = $2 and "name" in ($3, $4) returning "id", "name", "email", "bio"
update "authors" set "bio" = $1 where "id" = $2 and ("name" = $3 or "name" = $4) returning "id", "name", "email", "bio"
update "authors" set "bio" = $1 where "id" = $2 and exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id") returning "id", "name", "email", "bio"
update "authors" set "bio" = $1 where "id" = $2 and false returning "id", "name", "email", "bio"
update "authors" set "bio" = $1 where "id" = $2 returning "id", "name", "email", "bio"
update "authors" set "email" = $1 where "id" = $2 returning "id", "name", "email", "bio"
update "authors" set "id" = $1 where "id" = $2 returning "id", "name", "email", "bio"
update "authors" set "name" = $1 where "id" = $2 and "bio" is null returning "id", "name", "email", "bio"
update "authors" set "name" = $1 where "id" = $2 and "name" = $3 returning "id", "name", "email", "bio"
update "authors" set "name" = $1 where "id" = $2 returning "id", "name", "email", "bio"
update "books" set "author_id" = $1 where "id" = $2 returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "category_id" = $1 where "id" = $2 returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "copies" = $1 where "id" = $2 returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "cover" = $1 where "id" = $2 returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "discount" = $1 where "id" = $2 returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "discount" = default, "in_stock" = default, "genre" = default where "id" = $1 returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "genre" = $1 where "id" = $2 returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "in_stock" = $1 where "id" = $2 returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "isbn" = $1 where "id" = $2 returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "loan_period" = $1 where "id" = $2 returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "meta" = $1 where "id" = $2 returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "opens_at" = $1 where "id" = $2 returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "pages" = $1 where "id" = $2 and exists (select 1 from "authors" as "related1" where "related1"."id" = "books"."author_id" and "related1"."name" = $3) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "aut and so on: 455 characters, 973ed70582a7a083
update "books" set "pages" = $1 where "id" = $2 returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "price" = $1 where "id" = $2 returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "printed_at" = $1 where "id" = $2 returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "published_on" = $1 where "id" = $2 returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "rating" = $1 where "id" = $2 returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "signature" = $1 where "id" = $2 returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "sold_at" = $1 where "id" = $2 returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "tags" = $1 where "id" = $2 returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "title" = $1 where "id" = $2 returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "title" = $1, "category_id" = $2 where "id" = $3 returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "title" = $1, "rating" = $2 where "id" = $3 returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "weight" = $1 where "id" = $2 returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "categories" set "name" = $1 where "id" = $2 and exists (select 1 from "categories" as "related1" where "related1"."id" = "categories"."parent_id" and exists (select 1 from "categories" as "related2" where "related2"."id" = "related1"."parent_id" and "related2"."name" = $3)) returning "id", "name", "parent_id"
update "categories" set "name" = $1 where "id" = $2 and exists (select 1 from "categories" as "related1" where "related1"."parent_id" = "categories"."id" and exists (select 1 from "categories" as "related2" where "related2"."parent_id" = "related1"."id")) returning "id", "name", "parent_id"
update "categories" set "parent_id" = $1 where "id" = $2 returning "id", "name", "parent_id"
update "oddities" set "constructor" = $1 where "id" = $2 and "constructor" = $3 returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
update "oddities" set "hasOwnProperty" = $1 where "id" = $2 and "hasOwnProperty" = $3 returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
update "oddities" set "name" = $1 where "id" = $2 and "constructor" = $3 returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
update "oddities" set "name" = $1 where "id" = $2 and "hasOwnProperty" = $3 returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
update "oddities" set "name" = $1 where "id" = $2 and "then" = $3 returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
update "oddities" set "name" = $1 where "id" = $2 and "toJSON" = $3 returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
update "oddities" set "name" = $1 where "id" = $2 and "toString" = $3 returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
update "oddities" set "name" = $1 where "id" = $2 and "valueOf" = $3 returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
update "oddities" set "name" = $1 where "id" = $2 returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
update "oddities" set "then" = $1 where "id" = $2 and "then" = $3 returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
update "oddities" set "toJSON" = $1 where "id" = $2 and "toJSON" = $3 returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
update "oddities" set "toString" = $1 where "id" = $2 and "toString" = $3 returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
update "oddities" set "valueOf" = $1 where "id" = $2 and "valueOf" = $3 returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
update "shelves" set "floor" = $1 where "code" = $2 returning "code", "floor", "capacity", "built_at"
