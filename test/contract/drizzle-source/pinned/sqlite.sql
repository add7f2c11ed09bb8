delete from "authors" where "id" = ? and ("name" = ? and "name" collate binary = ?) returning "id", "name", "email", "bio"
delete from "authors" where "id" = ? and ("name" = ? and "name" collate binary = ?) returning 1
delete from "authors" where "id" = ? and ("name" in (?, ?) and "name" collate binary in (?, ?)) returning 1
delete from "authors" where "id" = ? and (("name" = ? and "name" collate binary = ?) or ("name" = ? and "name" collate binary = ?)) returning 1
delete from "authors" where "id" = ? and exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id") returning 1
delete from "authors" where "id" = ? and false returning "id", "name", "email", "bio"
delete from "authors" where "id" = ? and false returning 1
delete from "authors" where "id" = ? returning "id", "name", "email", "bio"
delete from "authors" where "id" = ? returning 1
delete from "books" where ("id" = ? and "id" collate binary = ?) and exists (select 1 from "authors" as "related1" where "related1"."id" = "books"."author_id" and ("related1"."name" = ? and "related1"."name" collate binary = ?)) returning 1
delete from "books" where ("id" = ? and "id" collate binary = ?) returning 1
delete from "categories" where "id" = ? and exists (select 1 from "categories" as "related1" where "related1"."id" = "categories"."parent_id" and exists (select 1 from "categories" as "related2" where "related2"."id" = "related1"."parent_id" and ("related2"."name" = ? and "related2"."name" collate binary = ?))) returning "id", "name", "parent_id"
delete from "placements" where ("book_id" = ? and "book_id" collate binary = ?) and ("shelf_code" = ? and "shelf_code" collate binary = ?) returning 1
delete from "shelves" where ("code" = ? and "code" collate binary = ?) returning "code", "floor", "capacity", "built_at"
insert into "authors" ("id", "name") values (?, ?) returning "id", "name", "email", "bio"
insert into "books" ("id", "isbn", "price", "discount", "pages", "in_stock", "genre", "printed_at", "author_id") values (?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "signature", "author_id", "transla and so on: 438 characters, b990fdc760610437
insert into "books" ("id", "title", "isbn", "price", "discount", "pages", "copies", "in_stock", "genre", "printed_at", "author_id") values (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '1000000000000000005 and so on: 691 characters, 1aefb6af78039ff5
insert into "books" ("id", "title", "isbn", "price", "discount", "pages", "in_stock", "genre", "printed_at", "author_id") values (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", and so on: 504 characters, c839dbf46cb249c2
insert into "books" ("id", "title", "isbn", "price", "discount", "pages", "in_stock", "genre", "printed_at", "author_id") values (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genr and so on: 558 characters, 5f915333f7b11421
insert into "books" ("id", "title", "isbn", "price", "discount", "pages", "in_stock", "genre", "printed_at", "author_id") values (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?) returning "id", "title", "isbn", "price", "discount", "r and so on: 612 characters, 343bf40490862454
insert into "books" ("id", "title", "isbn", "price", "discount", "pages", "in_stock", "genre", "printed_at", "author_id") values (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?), ( and so on: 1152 characters, d7ddf534e161907b
insert into "books" ("id", "title", "isbn", "price", "discount", "pages", "in_stock", "genre", "printed_at", "author_id") values (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?), ( and so on: 936 characters, e9d50dc85bdc1037
insert into "books" ("id", "title", "isbn", "price", "discount", "pages", "in_stock", "genre", "printed_at", "meta", "author_id") values (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500 and so on: 917 characters, eca6d708c18ab004
insert into "books" ("id", "title", "isbn", "price", "discount", "rating", "pages", "in_stock", "genre", "printed_at", "author_id") values (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '1000000000000000005 and so on: 805 characters, 37d746e47e33ae73
select "book_id", "reviewer" from "reviews" order by "book_id" asc, "reviewer" asc limit ? offset ?
select "book_id", "reviewer", "stars" from "reviews" limit ? offset ?
select "book_id", "reviewer", "stars", "note" from "reviews" where ("book_id" = ? and "book_id" collate binary = ?) and ("reviewer" = ? and "reviewer" collate binary = ?)
select "book_id", "reviewer", "stars", "note" from "reviews" where exists (select 1 from "replies" as "related1" where "related1"."book_id" = "reviews"."book_id" and "related1"."book_id" collate binary = "reviews"."book_id" collate binary and "related1"."reviewer" = "reviews"."reviewer" and "related1"."reviewer" collate binary = "reviews"."reviewer" collate binary and ("related1"."text" = ? and "r and so on: 492 characters, ec698d40c24a706d
select "book_id", "reviewer", "stars", "note" from "reviews" where exists (select 1 from "replies" as "related1" where "related1"."book_id" = "reviews"."book_id" and "related1"."book_id" collate binary = "reviews"."book_id" collate binary and "related1"."reviewer" = "reviews"."reviewer" and "related1"."reviewer" collate binary = "reviews"."reviewer" collate binary) order by "book_id" asc, "reviewe and so on: 423 characters, f8fb35f7d9ad6f36
select "books"."id", "books"."title", "books"."isbn", "books"."price", "books"."discount", "books"."rating", "books"."weight", "books"."pages", "books"."copies", "books"."in_stock", "books"."genre", "books"."published_on", "books"."printed_at", "books"."opens_at", "books"."cover", "books"."meta", "books"."tags", "books"."loan_period", "books"."signature", "books"."author_id", "books"."translator_i and so on: 628 characters, 8266bb6d42a22b1a
select "books"."id", "books"."title", "books"."isbn", "books"."price", "books"."discount", "books"."rating", "books"."weight", "books"."pages", "books"."copies", "books"."in_stock", "books"."genre", "books"."published_on", "books"."printed_at", "books"."opens_at", "books"."cover", "books"."meta", "books"."tags", "books"."loan_period", "books"."signature", "books"."author_id", "books"."translator_i and so on: 630 characters, 3232feb803148f4e
select "books"."id", "books"."title", "books"."isbn", "books"."price", "books"."discount", "books"."rating", "books"."weight", "books"."pages", "books"."copies", "books"."in_stock", "books"."genre", "books"."published_on", "books"."printed_at", "books"."opens_at", "books"."cover", "books"."meta", "books"."tags", "books"."loan_period", "books"."signature", "books"."author_id", "books"."translator_i and so on: 689 characters, 3f0f7f97548dc978
select "code", "floor", "capacity", "built_at" from "shelves" where ("code" = ? and "code" collate binary = ?)
select "code", "floor", "capacity", "built_at" from "shelves" where ("floor" = ?) is not true order by "code" asc limit ? offset ?
select "code", "floor", "capacity", "built_at" from "shelves" where ("floor" in (?, ?)) is not true order by "code" asc limit ? offset ?
select "code", "floor", "capacity", "built_at" from "shelves" where (("floor" = ? or "floor" = ?)) is not true order by "code" asc limit ? offset ?
select "genre", count(*), count("rating"), sum(("rating" + 0e0)) from "books" group by "genre" order by "genre" asc nulls last limit ?
select "genre", sum(("rating" + 0e0)), count("rating") from "books" group by "genre" order by sum(("rating" + 0e0)) / count("rating") desc nulls first, "genre" asc nulls last limit ?
select "id" and all the others from "books" order by "loan_period" asc nulls last limit ? offset ?
select "id" and all the others from "books" order by "loan_period" desc nulls first limit ? offset ?
select "id" and all the others from "books" order by "rating" asc nulls last, "pages" asc limit ? offset ?
select "id" and all the others from "books" order by "rating" desc nulls first, "pages" asc limit ? offset ?
select "id" and all the others from "books" order by cast("copies" as integer) asc nulls last limit ? offset ?
select "id" and all the others from "books" order by cast("copies" as integer) desc nulls first limit ? offset ?
select "id" and all the others from "books" where "copies" = ? limit ? offset ?
select "id" and all the others from "books" where "copies" = ? order by "id" asc limit ? offset ?
select "id" and all the others from "books" where "copies" in (?) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "copies" is not null limit ? offset ?
select "id" and all the others from "books" where "copies" is not null order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "copies" is null limit ? offset ?
select "id" and all the others from "books" where "copies" is null order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "title" collate binary >= ? order by "title" asc limit ? offset ?
select "id" and all the others from "books" where ("books"."author_id" in (select "id" from "authors" where ("name" = ? and "name" collate binary = ?)))
select "id" and all the others from "books" where ("books"."copies" = ?)
select "id" and all the others from "books" where ("copies" = ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("copies" is not null) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("copies" is null) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("discount" = ? and false) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("discount" = ? and true) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("id" = ? and "id" collate binary = ?) and "copies" = ?
select "id" and all the others from "books" where ("id" = ? and "id" collate binary = ?) and ("copies" = ?) is not true
select "id" and all the others from "books" where ("id" = ? and "id" collate binary = ?) and (("loan_period" = ? and "loan_period" collate binary = ?)) is not true
select "id" and all the others from "books" where ("id" = ? and "id" collate binary = ?) and exists (select 1 from "authors" as "related1" where "related1"."id" = "books"."author_id" and ("related1"."name" = ? and "related1"."name" collate binary = ?))
select "id" and all the others from "books" where ("id" = ? and "id" collate binary = ?) limit ? offset ?
select "id" and all the others from "books" where ("loan_period" = ? and "loan_period" collate binary = ?) order by "id" asc limit ? offset ?
select "id" and all the others from "books" where ("loan_period" in (?) and "loan_period" collate binary in (?)) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("title" collate binary >= ? and "title" collate binary < ?) order by "title" asc limit ? offset ?
select "id" and all the others from "books" where (("books"."loan_period" = ? and "books"."loan_period" collate binary = ?))
select "id" and all the others from "books" where (("copies" = ?) is not true) is not true limit ? offset ?
select "id" and all the others from "books" where (("copies" = ?) is not true) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where (("discount" = ? and true)) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where (("id" = ? and "id" collate binary = ?)) is not true limit ? offset ?
select "id" and all the others from "books" where (("loan_period" = ? and "loan_period" collate binary = ?)) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where (("loan_period" in (?) and "loan_period" collate binary in (?))) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ((("id" = ? and "id" collate binary = ?)) is not true) is not true limit ? offset ?
select "id" and all the others from "books" where ((("loan_period" = ? and "loan_period" collate binary = ?)) is not true) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ((cast("copies" as integer) = cast(? as integer) and true)) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where (cast("copies" as integer) < cast(? as integer)) is not true limit ? offset ?
select "id" and all the others from "books" where (cast("copies" as integer) < cast(? as integer)) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where (cast("copies" as integer) = cast(? as integer) and false) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where (cast("copies" as integer) = cast(? as integer) and true) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where (false) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where cast("copies" as integer) < cast(? as integer) limit ? offset ?
select "id" and all the others from "books" where cast("copies" as integer) < cast(? as integer) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where exists (select 1 from "authors" as "related1" where "related1"."id" = "books"."author_id" and ("related1"."name" = ? and "related1"."name" collate binary = ?)) order by "id" asc limit ? offset ?
select "id" and all the others from "books" where exists (select 1 from "placements" as "related1" where "related1"."book_id" = "books"."id" and "related1"."book_id" collate binary = "books"."id" collate binary and "related1"."copies" > ? and ("related1"."shelf_code", "related1"."shelf_code" collate binary) in (select "code", "code" collate binary from "shelves" where ("code" = ? and "code" collat and so on: 450 characters, ba4153c9354e3286
select "id" and all the others from "books" where exists (select 1 from "placements" as "related1" where "related1"."book_id" = "books"."id" and "related1"."book_id" collate binary = "books"."id" collate binary and ("related1"."shelf_code", "related1"."shelf_code" collate binary) in (select "code", "code" collate binary from "shelves" where ("code" = ? and "code" collate binary = ?))) order by "id and so on: 422 characters, 6457609022c7f4d0
select "id" and all the others from "books" where exists (select 1 from "placements" as "related1" where "related1"."book_id" = "books"."id" and "related1"."book_id" collate binary = "books"."id" collate binary and exists (select 1 from "shelves" as "related2" where "related2"."code" = "related1"."shelf_code" and "related2"."code" collate binary = "related1"."shelf_code" collate binary)) order by  and so on: 425 characters, d6368bfd3024d47d
select "id" and all the others from "books" where false order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where instr(lower("title"), lower(?)) > 0 order by "title" asc limit ? offset ?
select "id" and all the others from "books" where lower("title") = lower(?) order by "title" asc limit ? offset ?
select "id" and all the others from "books" where not (exists (select 1 from "authors" as "related1" where "related1"."id" = "books"."author_id" and ("related1"."name" = ? and "related1"."name" collate binary = ?))) order by "id" asc limit ? offset ?
select "id" and all the others from "books" where not (exists (select 1 from "placements" as "related1" where "related1"."book_id" = "books"."id" and "related1"."book_id" collate binary = "books"."id" collate binary and "related1"."copies" > ? and exists (select 1 from "shelves" as "related2" where "related2"."code" = "related1"."shelf_code" and "related2"."code" collate binary = "related1"."shelf and so on: 459 characters, 7cbc43a67295f394
select "id" and all the others from "books" where not (exists (select 1 from "placements" as "related1" where "related1"."book_id" = "books"."id" and "related1"."book_id" collate binary = "books"."id" collate binary and exists (select 1 from "shelves" as "related2" where "related2"."code" = "related1"."shelf_code" and "related2"."code" collate binary = "related1"."shelf_code" collate binary))) ord and so on: 431 characters, 766b781d608ad2e5
select "id" from "books" where "pages" < ? and ("isbn" = ? and "isbn" collate binary = ?) order by "price" desc, "id" asc limit ? offset ?
select "id", "book_id", "reviewer", "text" from "replies" where not (exists (select 1 from "reviews" as "related1" where "related1"."book_id" = "replies"."book_id" and "related1"."book_id" collate binary = "replies"."book_id" collate binary and "related1"."reviewer" = "replies"."reviewer" and "related1"."reviewer" collate binary = "replies"."reviewer" collate binary)) order by "id" asc limit ? off and so on: 405 characters, ffd842962aca5e3f
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" where "id" = ?
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" where ("constructor" = ? and "constructor" collate binary = ?) order by "constructor" asc nulls last limit ? offset ?
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" where instr(lower("constructor"), lower(?)) > 0 order by "constructor" asc nulls last limit ? offset ?
select "id", "name", "email", "bio" from "authors" where "id" = ? and ("name" = ? and "name" collate binary = ?)
select "id", "name", "email", "bio" from "authors" where "id" = ? and ("name" in (?, ?) and "name" collate binary in (?, ?))
select "id", "name", "email", "bio" from "authors" where "id" = ? and exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id")
select "id", "name", "email", "bio" from "authors" where "id" = ? and false
select "id", "name", "email", "bio" from "authors" where "id" in (select value from json_each(?)) order by "id" asc limit ? offset ?
select "id", "name", "email", "bio" from "authors" where ("authors"."bio" is null)
select "id", "name", "email", "bio" from "authors" where ("authors"."id" in (?))
select "id", "name", "email", "bio" from "authors" where ("authors"."id" in (select value from json_each(?)))
select "id", "name", "email", "bio" from "authors" where ("name" = ? and "id" > ?) order by "id" asc limit ? offset ?
select "id", "name", "email", "bio" from "authors" where ("name" = ? and "name" collate binary = ?) and ("name" = ? and "name" collate binary = ?) limit ? offset ?
select "id", "name", "email", "bio" from "authors" where (("bio" = ? and "bio" collate binary = ?) and (("name" = ? and "name" collate binary = ?)) is not true) order by "id" asc limit ? offset ?
select "id", "name", "email", "bio" from "authors" where (("name" = ? and "name" collate binary = ?) or ("name" = ? and "name" collate binary = ?)) order by "id" asc limit ? offset ?
select "id", "name", "email", "bio" from "authors" where (("name" in (?, ?) and "name" collate binary in (?, ?)) or instr(lower("bio"), lower(?)) > 0) and "id" = ? order by "name" asc limit ? offset ?
select "id", "name", "email", "bio" from "authors" where (("name" in (?, ?) and "name" collate binary in (?, ?)) or instr(lower("bio"), lower(?)) > 0) order by "name" asc limit ? offset ?
select "id", "name", "email", "bio" from "authors" where ((("authors"."bio" = ? and "authors"."bio" collate binary = ?) and (("authors"."name" = ? and "authors"."name" collate binary = ?)) is not true))
select "id", "name", "email", "bio" from "authors" where ((("authors"."name" = ? and "authors"."name" collate binary = ?) or ("authors"."name" = ? and "authors"."name" collate binary = ?)))
select "id", "name", "email", "bio" from "authors" where ((("authors"."name" = ? and "authors"."name" collate binary = ?)) is not true)
select "id", "name", "email", "bio" from "authors" where ((instr(lower("bio"), lower(?)) > 0 and ("name" = ? and "name" collate binary = ?))) is not true order by "name" asc limit ? offset ?
select "id", "name", "email", "bio" from "authors" where ((instr(lower("bio"), lower(?)) > 0 or ("name" = ? and "name" collate binary = ?))) is not true order by "name" asc limit ? offset ?
select "id", "name", "email", "bio" from "authors" where ((instr(lower("bio"), lower(?)) > 0) is not true) is not true order by "name" asc limit ? offset ?
select "id", "name", "email", "bio" from "authors" where (exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id" and "related1"."price" > ?) and exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id" and "related1"."pages" = ?)) order by "id" asc limit ? offset ?
select "id", "name", "email", "bio" from "authors" where (false)
select "id", "name", "email", "bio" from "authors" where (instr(lower("bio"), lower(?)) > 0) is not true order by "name" asc limit ? offset ?
select "id", "name", "email", "bio" from "authors" where exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id" and "related1"."price" > ?) order by "id" asc limit ? offset ?
select "id", "name", "email", "bio" from "authors" where exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id" and ("related1"."price" > ? and "related1"."pages" = ?)) order by "id" asc limit ? offset ?
select "id", "name", "email", "bio" from "authors" where exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id" and ("related1"."price" > ?) is not true) order by "id" asc limit ? offset ?
select "id", "name", "email", "bio" from "authors" where exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id" and exists (select 1 from "authors" as "related2" where "related2"."id" = "related1"."author_id" and ("related2"."name" = ? and "related2"."name" collate binary = ?))) order by "id" asc limit ? offset ?
select "id", "name", "email", "bio" from "authors" where exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id" and exists (select 1 from "authors" as "related2" where "related2"."id" = "related1"."author_id" and not (exists (select 1 from "books" as "related3" where "related3"."author_id" = "related2"."id" and ("related3"."title" = ? and "related3"."title" colla and so on: 453 characters, fdafd9a398a28c66
select "id", "name", "email", "bio" from "authors" where exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id") order by "id" asc limit ? offset ?
select "id", "name", "email", "bio" from "authors" where not (exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id" and "related1"."price" > ?)) order by "id" asc limit ? offset ?
select "id", "name", "email", "bio" from "authors" where not (exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id")) order by "id" asc limit ? offset ?
select "id", "name", "email", "bio" from "authors" where true
select "id", "name", "parent_id" from "categories" where "id" = ? and exists (select 1 from "categories" as "related1" where "related1"."id" = "categories"."parent_id" and exists (select 1 from "categories" as "related2" where "related2"."id" = "related1"."parent_id" and ("related2"."name" = ? and "related2"."name" collate binary = ?)))
select "id", "name", "parent_id" from "categories" where "id" in (select "parent_id" from "categories" where "id" in (select "parent_id" from "categories")) order by "id" asc limit ? offset ?
select "id", "name", "parent_id" from "categories" where "id" in (select "parent_id" from "categories" where "parent_id" in (select "id" from "categories" where ("name" = ? and "name" collate binary = ?))) order by "id" asc limit ? offset ?
select "id", "name", "parent_id" from "categories" where "id" in (select "parent_id" from "categories" where ("name" = ? and "name" collate binary = ?)) order by "id" asc limit ? offset ?
select "id", "name", "parent_id" from "categories" where ("categories"."parent_id" in (select "id" from "categories" where "parent_id" in (select "id" from "categories" where ("name" = ? and "name" collate binary = ?))))
select "id", "name", "parent_id" from "categories" where ("id" in (select "parent_id" from "categories")) is not true order by "id" asc limit ? offset ?
select "id", "name", "parent_id" from "categories" where ("parent_id" in (select "id" from "categories" where ("name" = ? and "name" collate binary = ?))) is not true order by "id" asc limit ? offset ?
select "id", "name", "parent_id" from "categories" where (("categories"."parent_id" in (select "id" from "categories" where ("name" = ? and "name" collate binary = ?))) is not true)
select "id", "name", "parent_id" from "categories" where exists (select 1 from "categories" as "related1" where "related1"."id" = "categories"."parent_id" and "related1"."parent_id" in (select "id" from "categories" where ("name" = ? and "name" collate binary = ?))) order by "id" asc limit ? offset ?
select "name", count(*) from "authors" where ("name" in (?, ?) and "name" collate binary in (?, ?)) and (("name" = ? and "name" collate binary = ?)) is not true group by "name", "name" collate binary order by "name" asc nulls last, "name" collate binary asc nulls last limit ?
select "rating", count(*) from "books" group by "rating" order by "rating" desc nulls first limit ?
select "related"."code", "related"."floor", "related"."capacity", "related"."built_at", "record"."ordinal" from (select key + 1 as "ordinal", value as "key0" from json_each(?) limit -1) as "record" cross join "shelves" as "related" on ("related"."code") in (select "matching"."code" from "placements" as "link" inner join "shelves" as "matching" on "link"."shelf_code" = "matching"."code" and "link". and so on: 651 characters, 69e196d7d58fc0c3
select "related"."code", "related"."floor", "related"."capacity", "related"."built_at", "record"."ordinal" from (select key + 1 as "ordinal", value as "key0" from json_each(?) limit -1) as "record" cross join "shelves" as "related" on ("related"."code") in (select "matching"."code" from "placements" as "link" inner join "shelves" as "matching" on "link"."shelf_code" = "matching"."code" and "link". and so on: 675 characters, b92679e57e5e93ee
select "related"."id", "related"."book_id", "related"."reviewer", "related"."text", "record"."ordinal" from (select key + 1 as "ordinal", value ->> '$[0]' as "key0", value ->> '$[1]' as "key1" from json_each(?) limit -1) as "record" cross join "replies" as "related" on ("related"."id") in (select "matching"."id" from "replies" as "matching" where ("matching"."book_id" = "record"."key0" and "matchi and so on: 638 characters, 8dbd51ee10575906
select "related"."id", "related"."name", "related"."email", "related"."bio", "record"."ordinal" from (select key + 1 as "ordinal", value as "key0" from json_each(?) limit -1) as "record", "authors" as "related" where "related"."id" = "record"."key0"
select "related"."id", "related"."name", "related"."email", "related"."bio", "record"."ordinal" from (select key + 1 as "ordinal", value as "key0" from json_each(?) limit -1) as "record", "authors" as "related" where "related"."id" = "record"."key0" and ("related"."name" = ? and "related"."name" collate binary = ?)
select "related"."id", "related"."title", "related"."author_id" from "books" as "related" where "related"."author_id" in (select value from json_each(?)) order by "related"."author_id", "related"."price" desc limit ?
select "related"."id", "related"."title", "related"."isbn", "related"."price", "related"."discount", "related"."rating", "related"."weight", "related"."pages", "related"."copies", "related"."in_stock", "related"."genre", "related"."published_on", "related"."printed_at", "related"."opens_at", "related"."cover", "related"."meta", "related"."tags", "related"."loan_period", "related"."signature", "rel and so on: 667 characters, 5a6b6441004381da
select "related"."id", "related"."title", "related"."isbn", "related"."price", "related"."discount", "related"."rating", "related"."weight", "related"."pages", "related"."copies", "related"."in_stock", "related"."genre", "related"."published_on", "related"."printed_at", "related"."opens_at", "related"."cover", "related"."meta", "related"."tags", "related"."loan_period", "related"."signature", "rel and so on: 743 characters, d7adde412b463043
select "related"."id", "related"."title", "related"."isbn", "related"."price", "related"."discount", "related"."rating", "related"."weight", "related"."pages", "related"."copies", "related"."in_stock", "related"."genre", "related"."published_on", "related"."printed_at", "related"."opens_at", "related"."cover", "related"."meta", "related"."tags", "related"."loan_period", "related"."signature", "rel and so on: 880 characters, f574e357ee174f66
select "related"."id", "related"."title", "related"."isbn", "related"."price", "related"."discount", "related"."rating", "related"."weight", "related"."pages", "related"."copies", "related"."in_stock", "related"."genre", "related"."published_on", "related"."printed_at", "related"."opens_at", "related"."cover", "related"."meta", "related"."tags", "related"."loan_period", "related"."signature", "rel and so on: 951 characters, 4032bd27fd05067a
select "title", count(*) from "books" group by "title", "title" collate binary order by "title" asc nulls last, "title" collate binary asc nulls last limit ?
select 1 from sqlite_master limit 1
select case when (not exists (select 1 from "authors" where "authors"."id" = ?)) then 1 else 0 end
select case when (not exists (select 1 from "authors" where "authors"."id" = ?)) then 1 else 0 end, case when (not exists (select 1 from "authors" where "authors"."id" = ?)) then 1 else 0 end
select case when (not exists (select 1 from "authors" where "authors"."id" = ?)) then 1 else 0 end, case when (not exists (select 1 from "authors" where "authors"."id" = ?)) then 1 else 0 end, case when (not exists (select 1 from "categories" where "categories"."id" = ?)) then 1 else 0 end
select case when exists (select 1 from "books" where "books"."author_id" = (select "id" from "authors" where "id" = ?)) then 1 else 0 end, case when exists (select 1 from "books" where "books"."translator_id" = (select "id" from "authors" where "id" = ?)) then 1 else 0 end
select case when exists (select 1 from "reviews" where "reviews"."book_id" = (select "id" from "books" where ("id" = ? and "id" collate binary = ?))) then 1 else 0 end, case when exists (select 1 from "placements" where "placements"."book_id" = (select "id" from "books" where ("id" = ? and "id" collate binary = ?))) then 1 else 0 end
select case when exists (select asked."email" from "authors" as asked where 1 = 0) then 1 else 0 end
select case when exists (select asked."id", asked."name" from "authors" as asked where 1 = 0) then 1 else 0 end
select case when exists (select asked."id", asked."name", asked."email", asked."bio" from "authors" as asked where 1 = 0) then 1 else 0 end
select case when exists (select asked."id", asked."name", asked."email", asked."bio" from "authors" as asked where 1 = 0) then 1 else 0 end, case when exists (select asked."id", asked."name", asked."parent_id" from "categories" as asked where 1 = 0) then 1 else 0 end, case when exists (select asked."id", asked."title", asked."isbn", asked."price", asked."discount", asked."rating", asked."weight",  and so on: 1385 characters, de9635ab65c83f06
select case when exists (select asked."id", asked."name", asked."email", asked."bio" from "authors" as asked where 1 = 0) then 1 else 0 end, case when exists (select asked."id", asked."name", asked."parent_id" from "categories" as asked where 1 = 0) then 1 else 0 end, case when exists (select asked."id", asked."title", asked."isbn", asked."price", asked."discount", asked."rating", asked."weight",  and so on: 1527 characters, bc29bbe76074a200
select case when exists (select asked."id", asked."name", asked."email", asked."bio" from "authors" as asked where 1 = 0) then 1 else 0 end, case when exists (select asked."id", asked."name", asked."parent_id" from "categories" as asked where 1 = 0) then 1 else 0 end, case when exists (select asked."id", asked."title", asked."isbn", asked."price", asked."discount", asked."rating", asked."weight",  and so on: 1668 characters, 7828c9c7f22e6810
select case when exists (select asked."id", asked."name", asked."parent_id" from "categories" as asked where 1 = 0) then 1 else 0 end
select case when exists (select asked."id", asked."title", asked."isbn", asked."price", asked."discount", asked."rating" from "books" as asked where 1 = 0) then 1 else 0 end
select case when exists (select asked."id", asked."title", asked."isbn", asked."price", asked."discount", asked."rating", asked."weight", asked."pages", asked."copies", asked."in_stock", asked."genre", asked."published_on", asked."printed_at", asked."opens_at", asked."cover", asked."meta", asked."tags", asked."loan_period", asked."signature", asked."author_id", asked."translator_id", asked."catego and so on: 481 characters, a4e5a0849394b2d7
select case when exists (select asked."signature", asked."author_id", asked."translator_id", asked."category_id", asked."title_length" from "books" as asked where 1 = 0) then 1 else 0 end, case when exists (select asked."book_id", asked."reviewer", asked."stars", asked."note" from "reviews" as asked where 1 = 0) then 1 else 0 end, case when exists (select asked."code", asked."floor", asked."capaci and so on: 829 characters, 78322b6fa36b2e08
select case when not (exists (select 1 from sqlite_master where type in ('table', 'view') and name = ? collate nocase)) then 1 else 0 end
select case when not (exists (select 1 from sqlite_master where type in ('table', 'view') and name = ? collate nocase)) then 1 else 0 end, case when not (exists (select 1 from sqlite_master where type in ('table', 'view') and name = ? collate nocase)) then 1 else 0 end, case when not (exists (select 1 from sqlite_master where type in ('table', 'view') and name = ? collate nocase)) then 1 else 0 en and so on: 1193 characters, 22460d77409b37c9
select cast((sum(cast(substr("discount", 1, 3) as integer)) - count("discount") * 100) as text), cast(sum(cast(substr("discount", 4, 9) as integer)) as text), cast(sum(cast(substr("discount", 13, 9) as integer)) as text) from "books" limit ?
select cast((sum(cast(substr("discount", 1, 3) as integer)) - count("discount") * 100) as text), cast(sum(cast(substr("discount", 4, 9) as integer)) as text), cast(sum(cast(substr("discount", 13, 9) as integer)) as text), count("discount") from "books" where "pages" = ? limit ?
select cast(sum("price" >> 32) as text), cast(sum("price" & 4294967295) as text) from "books" limit ?
select count(*) from "authors"
select count(*) from "authors" where "name" < ?
select count(*) from "authors" where ("bio" = ? and "bio" collate binary = ?)
select count(*) from "authors" where ("id" = ? and "id" = ?)
select count(*) from "authors" where ("id" = ? and ("name" = ? and "name" collate binary = ?))
select count(*) from "authors" where ("id" = ? and (("name" = ? and "name" collate binary = ?)) is not true)
select count(*) from "authors" where ("id" = ? or "id" = ?)
select count(*) from "authors" where ("name" = ? and "name" collate binary = ?) and ("name" = ? and "name" collate binary = ?)
select count(*) from "authors" where ("name" in (?, ?) and "name" collate binary in (?, ?))
select count(*) from "authors" where ("name" in (select value from json_each(?)) and "name" collate binary in (select value from json_each(?)))
select count(*) from "authors" where (("name" = ? and "name" collate binary = ?) and "id" = ?)
select count(*) from "authors" where (("name" = ? and "name" collate binary = ?)) is not true
select count(*) from "authors" where (false or true)
select count(*) from "authors" where (false)
select count(*) from "authors" where (false) is not true
select count(*) from "authors" where (true) is not true
select count(*) from "authors" where false
select count(*) from "books" where "author_id" in (select "id" from "authors" where ("name" = ? and "name" collate binary = ?))
select count(*) from "books" where "author_id" in (select "id" from "authors" where ("name" = ? and "name" collate binary = ?)) limit ?
select count(*) from "books" where "cover" in (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
select count(*) from "books" where "genre" = ? and ("title" = ? and "title" collate binary = ?) limit ?
select count(*) from "books" where "translator_id" in (select "id" from "authors" where (instr(lower("bio"), lower(?)) > 0) is not true)
select count(*) from "books" where "translator_id" in (select "id" from "authors" where (true) is not true)
select count(*) from "books" where "translator_id" in (select "id" from "authors")
select count(*) from "books" where ("translator_id" in (select "id" from "authors" where instr(lower("bio"), lower(?)) > 0)) is not true
select count(*) from "books" where ("translator_id" in (select "id" from "authors")) is not true
select count(*) from "books" where (("loan_period" = ? and "loan_period" collate binary = ?)) is not true and ("id" = ? and "id" collate binary = ?)
select count(*) from "books" where not ("author_id" in (select "id" from "authors" where ("name" = ? and "name" collate binary = ?)))
select count(*) from "categories" where "parent_id" in (select "id" from "categories" where "parent_id" in (select "id" from "categories" where ("name" = ? and "name" collate binary = ?)))
select count(*) from (select 1 from "authors" limit ?) as counted
select count(*) from (select 1 from "authors" where ("name" = ? and "name" collate binary = ?) and ("name" = ? and "name" collate binary = ?) limit ?) as counted
select count(*) from (select 1 from "authors" where ("name" = ? and "name" collate binary = ?) limit ?) as counted
select count(*), "record"."ordinal" from (select key + 1 as "ordinal", value ->> '$[0]' as "key0", value ->> '$[1]' as "key1" from json_each(?) limit -1) as "record", "replies" as "related" where ("related"."book_id" = "record"."key0" and "related"."book_id" collate binary = "record"."key0") and ("related"."reviewer" = "record"."key1" and "related"."reviewer" collate binary = "record"."key1") grou and so on: 423 characters, 58e2b64f4f648f56
select count(*), "record"."ordinal" from (select key + 1 as "ordinal", value as "key0" from json_each(?) limit -1) as "record", "books" as "related" where "related"."author_id" = "record"."key0" and "related"."pages" = ? group by "record"."ordinal"
select count(*), "record"."ordinal" from (select key + 1 as "ordinal", value as "key0" from json_each(?) limit -1) as "record", "books" as "related" where "related"."author_id" = "record"."key0" group by "record"."ordinal"
select count(*), "record"."ordinal" from (select key + 1 as "ordinal", value as "key0" from json_each(?) limit -1) as "record", "placements" as "link" inner join "shelves" as "related" on "link"."shelf_code" = "related"."code" and "link"."shelf_code" collate binary = "related"."code" collate binary where ("link"."book_id" = "record"."key0" and "link"."book_id" collate binary = "record"."key0") and and so on: 515 characters, cfc65566bf775a71
select date((("printed_at" - ("printed_at" % 1000 + 1000) % 1000) / 1000) + case when (("printed_at" - ("printed_at" % 1000 + 1000) % 1000) / 1000) < 1268550000 then case when (("printed_at" - ("printed_at" % 1000 + 1000) % 1000) / 1000) < -147891600 then case when (("printed_at" - ("printed_at" % 1000 + 1000) % 1000) / 1000) < -955303200 then case when (("printed_at" - ("printed_at" % 1000 + 1000 and so on: 38233 characters, 36a16bcba9997ec0
select date((("printed_at" - ("printed_at" % 1000 + 1000) % 1000) / 1000), 'unixepoch', '-6 days', 'weekday 1') as "part0 of group", count(*) from "books" group by "part0 of group" order by "part0 of group" asc nulls last limit ?
select file from pragma_database_list where name = 'main'
select strftime('%Y-%m-01', (("printed_at" - ("printed_at" % 1000 + 1000) % 1000) / 1000), 'unixepoch') as "part0 of group", count(*) from "books" group by "part0 of group" order by "part0 of group" asc nulls last limit ?
select strftime('%Y-01-01', (("printed_at" - ("printed_at" % 1000 + 1000) % 1000) / 1000), 'unixepoch') as "part0 of group", count(*) from "books" group by "part0 of group" order by "part0 of group" asc nulls last limit ?
select sum(("rating" + 0e0)), sum(("rating" + 0e0)), count("rating") from "books" limit ?
select t.name as of_table, c.name as of_column, c.type as declared from sqlite_master t join pragma_table_info(t.name) c where t.type = 'table'
update "authors" set "bio" = ? where "id" = ? and "bio" is null returning "id", "name", "email", "bio"
update "authors" set "bio" = ? where "id" = ? and ("name" = ? and "name" collate binary = ?) returning "id", "name", "email", "bio"
update "authors" set "bio" = ? where "id" = ? and ("name" in (?, ?) and "name" collate binary in (?, ?)) returning "id", "name", "email", "bio"
update "authors" set "bio" = ? where "id" = ? and (("name" = ? and "name" collate binary = ?) or ("name" = ? and "name" collate binary = ?)) returning "id", "name", "email", "bio"
update "authors" set "bio" = ? where "id" = ? and exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id") returning "id", "name", "email", "bio"
update "authors" set "bio" = ? where "id" = ? and false returning "id", "name", "email", "bio"
update "authors" set "bio" = ? where "id" = ? returning "id", "name", "email", "bio"
update "books" set "author_id" = ? where ("id" = ? and "id" collate binary = ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "discount" = '100000000000000000500', "in_stock" = ?, "genre" = ? where ("id" = ? and "id" collate binary = ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "pages" = ? where ("id" = ? and "id" collate binary = ?) and exists (select 1 from "authors" as "related1" where "related1"."id" = "books"."author_id" and ("related1"."name" = ? and "related1"."name" collate binary = ?)) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cov and so on: 508 characters, bf359889aec42035
update "books" set "title" = ?, "category_id" = ? where ("id" = ? and "id" collate binary = ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "categories" set "name" = ? where "id" = ? and "id" in (select "parent_id" from "categories" where "id" in (select "parent_id" from "categories")) returning "id", "name", "parent_id"
update "categories" set "name" = ? where "id" = ? and exists (select 1 from "categories" as "related1" where "related1"."id" = "categories"."parent_id" and exists (select 1 from "categories" as "related2" where "related2"."id" = "related1"."parent_id" and ("related2"."name" = ? and "related2"."name" collate binary = ?))) returning "id", "name", "parent_id"
