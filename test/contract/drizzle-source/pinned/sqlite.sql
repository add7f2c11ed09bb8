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
delete from "categories" where "id" = ? returning 1
delete from "oddities" where "id" = ? returning 1
delete from "placements" where ("book_id" = ? and "book_id" collate binary = ?) and ("shelf_code" = ? and "shelf_code" collate binary = ?) returning 1
delete from "replies" where "id" = ? returning 1
delete from "reviews" where ("book_id" = ? and "book_id" collate binary = ?) and ("reviewer" = ? and "reviewer" collate binary = ?) returning 1
delete from "shelves" where ("code" = ? and "code" collate binary = ?) returning "code", "floor", "capacity", "built_at"
delete from "shelves" where ("code" = ? and "code" collate binary = ?) returning 1
insert into "authors" ("id", "name") values (?, ?) returning "id", "name", "email", "bio"
insert into "authors" ("name") values (?) returning "id", "name", "email", "bio"
insert into "authors" ("name") values (?), (?), (?), (?) returning "id", "name", "email", "bio"
insert into "authors" ("name") values (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (?), (? and so on: 6075 characters, d5cdb09e4962925a
insert into "authors" ("name", "bio") values (?, ?) returning "id", "name", "email", "bio"
insert into "authors" ("name", "bio") values (?, ?), (?, ?) returning "id", "name", "email", "bio"
insert into "authors" ("name", "email") values (?, ?) returning "id", "name", "email", "bio"
insert into "books" ("id", "isbn", "price", "discount", "pages", "in_stock", "genre", "printed_at", "author_id") values (?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "signature", "author_id", "transla and so on: 438 characters, b990fdc760610437
insert into "books" ("id", "title", "isbn", "price", "discount", "pages", "copies", "in_stock", "genre", "printed_at", "author_id") values (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "signatur and so on: 463 characters, f78028a14c971078
insert into "books" ("id", "title", "isbn", "price", "discount", "pages", "copies", "in_stock", "genre", "printed_at", "author_id") values (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '1000000000000000005 and so on: 691 characters, 1aefb6af78039ff5
insert into "books" ("id", "title", "isbn", "price", "discount", "pages", "copies", "in_stock", "genre", "printed_at", "author_id") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "signature", "author_id", "tran and so on: 441 characters, e0e2818867d87aa4
insert into "books" ("id", "title", "isbn", "price", "discount", "pages", "in_stock", "genre", "printed_at", "author_id") values (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "signature", "author_i and so on: 450 characters, 23d718bb098b2bea
insert into "books" ("id", "title", "isbn", "price", "discount", "pages", "in_stock", "genre", "printed_at", "author_id") values (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", and so on: 504 characters, c839dbf46cb249c2
insert into "books" ("id", "title", "isbn", "price", "discount", "pages", "in_stock", "genre", "printed_at", "author_id") values (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genr and so on: 558 characters, 5f915333f7b11421
insert into "books" ("id", "title", "isbn", "price", "discount", "pages", "in_stock", "genre", "printed_at", "author_id") values (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?) returning "id", "title", "isbn", "price", "discount", "r and so on: 612 characters, 343bf40490862454
insert into "books" ("id", "title", "isbn", "price", "discount", "pages", "in_stock", "genre", "printed_at", "author_id") values (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?) re and so on: 666 characters, 633987303679d5a6
insert into "books" ("id", "title", "isbn", "price", "discount", "pages", "in_stock", "genre", "printed_at", "author_id") values (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?), ( and so on: 1152 characters, d7ddf534e161907b
insert into "books" ("id", "title", "isbn", "price", "discount", "pages", "in_stock", "genre", "printed_at", "author_id") values (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?), ( and so on: 936 characters, e9d50dc85bdc1037
insert into "books" ("id", "title", "isbn", "price", "discount", "pages", "in_stock", "genre", "printed_at", "author_id") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "signature", "author_id", "translator_id", " and so on: 428 characters, 804620a857470c42
insert into "books" ("id", "title", "isbn", "price", "discount", "pages", "in_stock", "genre", "printed_at", "author_id") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre" and so on: 556 characters, 38a17e12f6b9f5dc
insert into "books" ("id", "title", "isbn", "price", "discount", "pages", "in_stock", "genre", "printed_at", "author_id", "category_id") values (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "sig and so on: 468 characters, 16a09909e18799bc
insert into "books" ("id", "title", "isbn", "price", "discount", "pages", "in_stock", "genre", "printed_at", "author_id", "translator_id") values (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "s and so on: 470 characters, b39cbd40936017aa
insert into "books" ("id", "title", "isbn", "price", "discount", "pages", "in_stock", "genre", "printed_at", "author_id", "translator_id", "category_id") values (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?, ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", and so on: 488 characters, ddb1fea0afed11a1
insert into "books" ("id", "title", "isbn", "price", "discount", "pages", "in_stock", "genre", "printed_at", "cover", "author_id") values (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "signature and so on: 462 characters, 07d42b0eb97cde13
insert into "books" ("id", "title", "isbn", "price", "discount", "pages", "in_stock", "genre", "printed_at", "cover", "author_id") values (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?) returning "id", "title", "isbn", "p and so on: 633 characters, cf50c269f2c705a2
insert into "books" ("id", "title", "isbn", "price", "discount", "pages", "in_stock", "genre", "printed_at", "loan_period", "author_id") values (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "sig and so on: 468 characters, 607327c87b3b1c33
insert into "books" ("id", "title", "isbn", "price", "discount", "pages", "in_stock", "genre", "printed_at", "loan_period", "author_id") values (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "co and so on: 582 characters, 12f9ae3ed589158d
insert into "books" ("id", "title", "isbn", "price", "discount", "pages", "in_stock", "genre", "printed_at", "meta", "author_id") values (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "signature" and so on: 461 characters, fb03b1b71a7214f6
insert into "books" ("id", "title", "isbn", "price", "discount", "pages", "in_stock", "genre", "printed_at", "meta", "author_id") values (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500 and so on: 917 characters, eca6d708c18ab004
insert into "books" ("id", "title", "isbn", "price", "discount", "pages", "in_stock", "genre", "printed_at", "meta", "tags", "author_id") values (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?, ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period",  and so on: 472 characters, 1a2ab0f4eee7789e
insert into "books" ("id", "title", "isbn", "price", "discount", "pages", "in_stock", "genre", "printed_at", "opens_at", "author_id") values (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "signat and so on: 465 characters, 8740c7c8f65b761c
insert into "books" ("id", "title", "isbn", "price", "discount", "pages", "in_stock", "genre", "printed_at", "opens_at", "author_id") values (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?) returning "id", "title", "isbn", and so on: 636 characters, d9ba1e1e17086958
insert into "books" ("id", "title", "isbn", "price", "discount", "pages", "in_stock", "genre", "printed_at", "signature", "author_id") values (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "signa and so on: 466 characters, 017c44256f401bdc
insert into "books" ("id", "title", "isbn", "price", "discount", "pages", "in_stock", "genre", "printed_at", "signature", "author_id") values (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?) returning "id", "title", "isbn" and so on: 637 characters, de6782776ca2b966
insert into "books" ("id", "title", "isbn", "price", "discount", "pages", "in_stock", "genre", "printed_at", "tags", "author_id") values (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "signature" and so on: 461 characters, b92c74b3e0c30106
insert into "books" ("id", "title", "isbn", "price", "discount", "pages", "in_stock", "genre", "printed_at", "tags", "author_id") values (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies",  and so on: 575 characters, 8f0fd037da148888
insert into "books" ("id", "title", "isbn", "price", "discount", "pages", "in_stock", "genre", "published_on", "printed_at", "author_id") values (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "si and so on: 469 characters, ca6178c127f8e140
insert into "books" ("id", "title", "isbn", "price", "discount", "pages", "in_stock", "genre", "published_on", "printed_at", "author_id") values (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?) returning "id", "title", "is and so on: 640 characters, e10d8cb0d55b3fb3
insert into "books" ("id", "title", "isbn", "price", "discount", "rating", "pages", "in_stock", "genre", "printed_at", "author_id") values (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "signatur and so on: 463 characters, c173d17d15740310
insert into "books" ("id", "title", "isbn", "price", "discount", "rating", "pages", "in_stock", "genre", "printed_at", "author_id") values (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '1000000000000000005 and so on: 805 characters, 37d746e47e33ae73
insert into "books" ("id", "title", "isbn", "price", "discount", "rating", "pages", "in_stock", "genre", "printed_at", "author_id") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "signature", "author_id", "tran and so on: 441 characters, 8ae62fcf0f861feb
insert into "books" ("id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "signature", "author_id") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, and so on: 26671 characters, 1697a36a043c9646
insert into "books" ("id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "signature", "author_id") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, and so on: 81355 characters, 0f93807fe8dd3251
insert into "books" ("id", "title", "isbn", "price", "discount", "weight", "pages", "in_stock", "genre", "printed_at", "author_id") values (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "signatur and so on: 463 characters, 9e026ff92f0253c7
insert into "books" ("id", "title", "isbn", "price", "discount", "weight", "pages", "in_stock", "genre", "printed_at", "author_id") values (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '100000000000000000500', ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, '1000000000000000005 and so on: 919 characters, 61a9e61f3060759f
insert into "categories" ("name") values (?) returning "id", "name", "parent_id"
insert into "categories" ("name", "parent_id") values (?, ?) returning "id", "name", "parent_id"
insert into "oddities" ("name") values (?) returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
insert into "oddities" ("name", "constructor") values (?, ?) returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
insert into "oddities" ("name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON") values (?, ?, ?, ?, ?, ?, ?) returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
insert into "oddities" ("name", "hasOwnProperty") values (?, ?) returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
insert into "oddities" ("name", "then") values (?, ?) returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
insert into "oddities" ("name", "toJSON") values (?, ?) returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
insert into "oddities" ("name", "toString") values (?, ?) returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
insert into "oddities" ("name", "valueOf") values (?, ?) returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
insert into "placements" ("book_id", "shelf_code", "copies") values (?, ?, ?) returning "book_id", "shelf_code", "copies"
insert into "replies" ("book_id", "reviewer", "text") values (?, ?, ?) returning "id", "book_id", "reviewer", "text"
insert into "reviews" ("book_id", "reviewer", "stars") values (?, ?, ?) returning "book_id", "reviewer", "stars", "note"
insert into "reviews" ("book_id", "reviewer", "stars") values (?, ?, ?), (?, ?, ?), (?, ?, ?), (?, ?, ?) returning "book_id", "reviewer", "stars", "note"
insert into "shelves" ("code", "floor", "capacity", "built_at") values (?, ?, ?, ?) returning "code", "floor", "capacity", "built_at"
select "book_id", "reviewer" from "reviews" order by "book_id" asc, "reviewer" asc limit ? offset ?
select "book_id", "reviewer", "stars" from "reviews" limit ? offset ?
select "book_id", "reviewer", "stars", "note" from "reviews" where ("book_id" = ? and "book_id" collate binary = ?) and ("reviewer" = ? and "reviewer" collate binary = ?)
select "book_id", "reviewer", "stars", "note" from "reviews" where exists (select 1 from "replies" as "related1" where "related1"."book_id" = "reviews"."book_id" and "related1"."book_id" collate binary = "reviews"."book_id" collate binary and "related1"."reviewer" = "reviews"."reviewer" and "related1"."reviewer" collate binary = "reviews"."reviewer" collate binary and ("related1"."text" = ? and "r and so on: 492 characters, ec698d40c24a706d
select "book_id", "reviewer", "stars", "note" from "reviews" where exists (select 1 from "replies" as "related1" where "related1"."book_id" = "reviews"."book_id" and "related1"."book_id" collate binary = "reviews"."book_id" collate binary and "related1"."reviewer" = "reviews"."reviewer" and "related1"."reviewer" collate binary = "reviews"."reviewer" collate binary) order by "book_id" asc, "reviewe and so on: 423 characters, f8fb35f7d9ad6f36
select "book_id", "shelf_code" from "placements" order by "book_id" asc, "shelf_code" asc limit ? offset ?
select "books"."id", "books"."title", "books"."isbn", "books"."price", "books"."discount", "books"."rating", "books"."weight", "books"."pages", "books"."copies", "books"."in_stock", "books"."genre", "books"."published_on", "books"."printed_at", "books"."opens_at", "books"."cover", "books"."meta", "books"."tags", "books"."loan_period", "books"."signature", "books"."author_id", "books"."translator_i and so on: 628 characters, 8266bb6d42a22b1a
select "books"."id", "books"."title", "books"."isbn", "books"."price", "books"."discount", "books"."rating", "books"."weight", "books"."pages", "books"."copies", "books"."in_stock", "books"."genre", "books"."published_on", "books"."printed_at", "books"."opens_at", "books"."cover", "books"."meta", "books"."tags", "books"."loan_period", "books"."signature", "books"."author_id", "books"."translator_i and so on: 630 characters, 3232feb803148f4e
select "books"."id", "books"."title", "books"."isbn", "books"."price", "books"."discount", "books"."rating", "books"."weight", "books"."pages", "books"."copies", "books"."in_stock", "books"."genre", "books"."published_on", "books"."printed_at", "books"."opens_at", "books"."cover", "books"."meta", "books"."tags", "books"."loan_period", "books"."signature", "books"."author_id", "books"."translator_i and so on: 689 characters, 3f0f7f97548dc978
select "code" from "shelves" order by "code" asc limit ? offset ?
select "code", "floor", "capacity", "built_at" from "shelves" where ("code" = ? and "code" collate binary = ?)
select "code", "floor", "capacity", "built_at" from "shelves" where ("floor" = ?) is not true order by "code" asc limit ? offset ?
select "code", "floor", "capacity", "built_at" from "shelves" where ("floor" in (?, ?)) is not true order by "code" asc limit ? offset ?
select "code", "floor", "capacity", "built_at" from "shelves" where (("floor" = ? or "floor" = ?)) is not true order by "code" asc limit ? offset ?
select "genre", count(*), count("rating"), sum(("rating" + 0e0)) from "books" group by "genre" order by "genre" asc nulls last limit ?
select "genre", sum(("rating" + 0e0)), count("rating") from "books" group by "genre" order by sum(("rating" + 0e0)) / count("rating") desc nulls first, "genre" asc nulls last limit ?
select "id" and all the others from "books" order by "discount" asc limit ? offset ?
select "id" and all the others from "books" order by "discount" desc limit ? offset ?
select "id" and all the others from "books" order by "id" asc limit ? offset ?
select "id" and all the others from "books" order by "id" desc limit ? offset ?
select "id" and all the others from "books" order by "loan_period" asc nulls last limit ? offset ?
select "id" and all the others from "books" order by "loan_period" desc nulls first limit ? offset ?
select "id" and all the others from "books" order by "opens_at" asc nulls last limit ? offset ?
select "id" and all the others from "books" order by "opens_at" desc nulls first limit ? offset ?
select "id" and all the others from "books" order by "pages" asc limit ? offset ?
select "id" and all the others from "books" order by "pages" desc limit ? offset ?
select "id" and all the others from "books" order by "price" asc limit ? offset ?
select "id" and all the others from "books" order by "price" desc limit ? offset ?
select "id" and all the others from "books" order by "price" desc, "id" asc limit ? offset ?
select "id" and all the others from "books" order by "printed_at" asc limit ? offset ?
select "id" and all the others from "books" order by "printed_at" desc limit ? offset ?
select "id" and all the others from "books" order by "published_on" asc nulls last limit ? offset ?
select "id" and all the others from "books" order by "published_on" desc nulls first limit ? offset ?
select "id" and all the others from "books" order by "rating" asc nulls last limit ? offset ?
select "id" and all the others from "books" order by "rating" asc nulls last, "pages" asc limit ? offset ?
select "id" and all the others from "books" order by "rating" asc nulls last, "pages" desc limit ? offset ?
select "id" and all the others from "books" order by "rating" desc nulls first limit ? offset ?
select "id" and all the others from "books" order by "rating" desc nulls first, "pages" asc limit ? offset ?
select "id" and all the others from "books" order by "rating" desc nulls first, "pages" desc limit ? offset ?
select "id" and all the others from "books" order by "title" asc limit ? offset ?
select "id" and all the others from "books" order by "title" desc limit ? offset ?
select "id" and all the others from "books" order by "weight" asc nulls last limit ? offset ?
select "id" and all the others from "books" order by "weight" desc nulls first limit ? offset ?
select "id" and all the others from "books" order by cast("copies" as integer) asc nulls last limit ? offset ?
select "id" and all the others from "books" order by cast("copies" as integer) desc nulls first limit ? offset ?
select "id" and all the others from "books" where "copies" = ? limit ? offset ?
select "id" and all the others from "books" where "copies" = ? order by "id" asc limit ? offset ?
select "id" and all the others from "books" where "copies" = ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "copies" in (?) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "copies" in (?, ?) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "copies" is not null limit ? offset ?
select "id" and all the others from "books" where "copies" is not null order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "copies" is null limit ? offset ?
select "id" and all the others from "books" where "copies" is null order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "cover" = ? limit ? offset ?
select "id" and all the others from "books" where "cover" = ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "cover" in (?) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "cover" in (?, ?) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "cover" is not null limit ? offset ?
select "id" and all the others from "books" where "cover" is not null order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "cover" is null limit ? offset ?
select "id" and all the others from "books" where "cover" is null order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "discount" < ? limit ? offset ?
select "id" and all the others from "books" where "discount" < ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "discount" <= ? limit ? offset ?
select "id" and all the others from "books" where "discount" <= ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "discount" = ? limit ? offset ?
select "id" and all the others from "books" where "discount" = ? order by "id" asc limit ? offset ?
select "id" and all the others from "books" where "discount" = ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "discount" > ? limit ? offset ?
select "id" and all the others from "books" where "discount" > ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "discount" >= ? limit ? offset ?
select "id" and all the others from "books" where "discount" >= ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "discount" in (?) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "discount" in (?, ?) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "discount" is not null limit ? offset ?
select "id" and all the others from "books" where "discount" is not null order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "discount" is null limit ? offset ?
select "id" and all the others from "books" where "discount" is null order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "genre" = ? limit ? offset ?
select "id" and all the others from "books" where "genre" = ? order by "id" asc limit ? offset ?
select "id" and all the others from "books" where "genre" = ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "genre" in (?) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "genre" in (?, ?) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "genre" is not null limit ? offset ?
select "id" and all the others from "books" where "genre" is not null order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "genre" is null limit ? offset ?
select "id" and all the others from "books" where "genre" is null order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "id" < ? limit ? offset ?
select "id" and all the others from "books" where "id" <= ? limit ? offset ?
select "id" and all the others from "books" where "id" > ? limit ? offset ?
select "id" and all the others from "books" where "id" >= ? limit ? offset ?
select "id" and all the others from "books" where "id" is not null limit ? offset ?
select "id" and all the others from "books" where "id" is null limit ? offset ?
select "id" and all the others from "books" where "in_stock" = ? limit ? offset ?
select "id" and all the others from "books" where "in_stock" = ? order by "id" asc limit ? offset ?
select "id" and all the others from "books" where "in_stock" = ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "in_stock" in (?) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "in_stock" in (?, ?) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "in_stock" is not null limit ? offset ?
select "id" and all the others from "books" where "in_stock" is not null order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "in_stock" is null limit ? offset ?
select "id" and all the others from "books" where "in_stock" is null order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "loan_period" < ? limit ? offset ?
select "id" and all the others from "books" where "loan_period" < ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "loan_period" <= ? limit ? offset ?
select "id" and all the others from "books" where "loan_period" <= ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "loan_period" > ? limit ? offset ?
select "id" and all the others from "books" where "loan_period" > ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "loan_period" >= ? limit ? offset ?
select "id" and all the others from "books" where "loan_period" >= ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "loan_period" is not null limit ? offset ?
select "id" and all the others from "books" where "loan_period" is not null order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "loan_period" is null limit ? offset ?
select "id" and all the others from "books" where "loan_period" is null order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "meta" is not null limit ? offset ?
select "id" and all the others from "books" where "meta" is null limit ? offset ?
select "id" and all the others from "books" where "opens_at" < ? limit ? offset ?
select "id" and all the others from "books" where "opens_at" < ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "opens_at" <= ? limit ? offset ?
select "id" and all the others from "books" where "opens_at" <= ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "opens_at" > ? limit ? offset ?
select "id" and all the others from "books" where "opens_at" > ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "opens_at" >= ? limit ? offset ?
select "id" and all the others from "books" where "opens_at" >= ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "opens_at" is not null limit ? offset ?
select "id" and all the others from "books" where "opens_at" is not null order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "opens_at" is null limit ? offset ?
select "id" and all the others from "books" where "opens_at" is null order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "pages" < ? limit ? offset ?
select "id" and all the others from "books" where "pages" < ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "pages" <= ? limit ? offset ?
select "id" and all the others from "books" where "pages" <= ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "pages" = ? limit ? offset ?
select "id" and all the others from "books" where "pages" = ? order by "id" asc limit ? offset ?
select "id" and all the others from "books" where "pages" = ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "pages" > ? limit ? offset ?
select "id" and all the others from "books" where "pages" > ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "pages" >= ? limit ? offset ?
select "id" and all the others from "books" where "pages" >= ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "pages" in (?) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "pages" in (?, ?) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "pages" is not null limit ? offset ?
select "id" and all the others from "books" where "pages" is not null order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "pages" is null limit ? offset ?
select "id" and all the others from "books" where "pages" is null order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "price" < ? limit ? offset ?
select "id" and all the others from "books" where "price" < ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "price" <= ? limit ? offset ?
select "id" and all the others from "books" where "price" <= ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "price" = ? limit ? offset ?
select "id" and all the others from "books" where "price" = ? order by "id" asc limit ? offset ?
select "id" and all the others from "books" where "price" = ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "price" > ? limit ? offset ?
select "id" and all the others from "books" where "price" > ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "price" >= ? limit ? offset ?
select "id" and all the others from "books" where "price" >= ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "price" in (?) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "price" in (?, ?) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "price" is not null limit ? offset ?
select "id" and all the others from "books" where "price" is not null order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "price" is null limit ? offset ?
select "id" and all the others from "books" where "price" is null order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "printed_at" < ? limit ? offset ?
select "id" and all the others from "books" where "printed_at" < ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "printed_at" <= ? limit ? offset ?
select "id" and all the others from "books" where "printed_at" <= ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "printed_at" = ? limit ? offset ?
select "id" and all the others from "books" where "printed_at" = ? order by "id" asc limit ? offset ?
select "id" and all the others from "books" where "printed_at" = ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "printed_at" > ? limit ? offset ?
select "id" and all the others from "books" where "printed_at" > ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "printed_at" >= ? limit ? offset ?
select "id" and all the others from "books" where "printed_at" >= ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "printed_at" in (?) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "printed_at" in (?, ?) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "printed_at" is not null limit ? offset ?
select "id" and all the others from "books" where "printed_at" is not null order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "printed_at" is null limit ? offset ?
select "id" and all the others from "books" where "printed_at" is null order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "published_on" < ? limit ? offset ?
select "id" and all the others from "books" where "published_on" < ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "published_on" <= ? limit ? offset ?
select "id" and all the others from "books" where "published_on" <= ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "published_on" > ? limit ? offset ?
select "id" and all the others from "books" where "published_on" > ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "published_on" >= ? limit ? offset ?
select "id" and all the others from "books" where "published_on" >= ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "published_on" is not null limit ? offset ?
select "id" and all the others from "books" where "published_on" is not null order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "published_on" is null limit ? offset ?
select "id" and all the others from "books" where "published_on" is null order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "rating" < ? limit ? offset ?
select "id" and all the others from "books" where "rating" < ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "rating" <= ? limit ? offset ?
select "id" and all the others from "books" where "rating" <= ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "rating" = ? limit ? offset ?
select "id" and all the others from "books" where "rating" = ? order by "id" asc limit ? offset ?
select "id" and all the others from "books" where "rating" = ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "rating" > ? limit ? offset ?
select "id" and all the others from "books" where "rating" > ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "rating" >= ? limit ? offset ?
select "id" and all the others from "books" where "rating" >= ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "rating" in (?) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "rating" in (?, ?) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "rating" is not null limit ? offset ?
select "id" and all the others from "books" where "rating" is not null order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "rating" is null limit ? offset ?
select "id" and all the others from "books" where "rating" is null order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "signature" is not null limit ? offset ?
select "id" and all the others from "books" where "signature" is null limit ? offset ?
select "id" and all the others from "books" where "tags" is not null limit ? offset ?
select "id" and all the others from "books" where "tags" is null limit ? offset ?
select "id" and all the others from "books" where "title" < ? limit ? offset ?
select "id" and all the others from "books" where "title" < ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "title" <= ? limit ? offset ?
select "id" and all the others from "books" where "title" <= ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "title" > ? limit ? offset ?
select "id" and all the others from "books" where "title" > ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "title" >= ? limit ? offset ?
select "id" and all the others from "books" where "title" >= ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "title" is not null limit ? offset ?
select "id" and all the others from "books" where "title" is not null order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "title" is null limit ? offset ?
select "id" and all the others from "books" where "title" is null order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "weight" < ? limit ? offset ?
select "id" and all the others from "books" where "weight" < ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "weight" <= ? limit ? offset ?
select "id" and all the others from "books" where "weight" <= ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "weight" = ? limit ? offset ?
select "id" and all the others from "books" where "weight" = ? order by "id" asc limit ? offset ?
select "id" and all the others from "books" where "weight" = ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "weight" > ? limit ? offset ?
select "id" and all the others from "books" where "weight" > ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "weight" >= ? limit ? offset ?
select "id" and all the others from "books" where "weight" >= ? order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "weight" in (?) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "weight" in (?, ?) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "weight" is not null limit ? offset ?
select "id" and all the others from "books" where "weight" is not null order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where "weight" is null limit ? offset ?
select "id" and all the others from "books" where "weight" is null order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("books"."author_id" in (select "id" from "authors" where ("name" = ? and "name" collate binary = ?)))
select "id" and all the others from "books" where ("books"."copies" = ?)
select "id" and all the others from "books" where ("books"."discount" = ?)
select "id" and all the others from "books" where ("books"."genre" = ?)
select "id" and all the others from "books" where ("books"."in_stock" = ?)
select "id" and all the others from "books" where ("books"."pages" = ?)
select "id" and all the others from "books" where ("books"."price" = ?)
select "id" and all the others from "books" where ("books"."printed_at" = ?)
select "id" and all the others from "books" where ("books"."rating" = ?)
select "id" and all the others from "books" where ("books"."weight" = ?)
select "id" and all the others from "books" where ("copies" = ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("copies" = ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("copies" in (?)) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("copies" is not null) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("copies" is null) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("cover" = ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("cover" = ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("cover" in (?)) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("cover" is not null) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("cover" is null) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("discount" < ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("discount" < ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("discount" <= ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("discount" <= ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("discount" = ? and false) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("discount" = ? and true) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("discount" = ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("discount" = ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("discount" > ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("discount" > ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("discount" >= ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("discount" >= ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("discount" in (?)) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("discount" is not null) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("discount" is null) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("genre" = ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("genre" = ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("genre" in (?)) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("genre" is not null) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("genre" is null) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("id" < ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("id" <= ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("id" = ? and "id" collate binary = ?)
select "id" and all the others from "books" where ("id" = ? and "id" collate binary = ?) and "copies" = ?
select "id" and all the others from "books" where ("id" = ? and "id" collate binary = ?) and "cover" = ?
select "id" and all the others from "books" where ("id" = ? and "id" collate binary = ?) and "discount" = ?
select "id" and all the others from "books" where ("id" = ? and "id" collate binary = ?) and "genre" = ?
select "id" and all the others from "books" where ("id" = ? and "id" collate binary = ?) and "in_stock" = ?
select "id" and all the others from "books" where ("id" = ? and "id" collate binary = ?) and "pages" = ?
select "id" and all the others from "books" where ("id" = ? and "id" collate binary = ?) and "price" = ?
select "id" and all the others from "books" where ("id" = ? and "id" collate binary = ?) and "printed_at" = ?
select "id" and all the others from "books" where ("id" = ? and "id" collate binary = ?) and "rating" = ?
select "id" and all the others from "books" where ("id" = ? and "id" collate binary = ?) and "weight" = ?
select "id" and all the others from "books" where ("id" = ? and "id" collate binary = ?) and ("copies" = ?) is not true
select "id" and all the others from "books" where ("id" = ? and "id" collate binary = ?) and ("cover" = ?) is not true
select "id" and all the others from "books" where ("id" = ? and "id" collate binary = ?) and ("discount" = ?) is not true
select "id" and all the others from "books" where ("id" = ? and "id" collate binary = ?) and ("genre" = ?) is not true
select "id" and all the others from "books" where ("id" = ? and "id" collate binary = ?) and ("in_stock" = ?) is not true
select "id" and all the others from "books" where ("id" = ? and "id" collate binary = ?) and ("loan_period" = ? and "loan_period" collate binary = ?)
select "id" and all the others from "books" where ("id" = ? and "id" collate binary = ?) and ("opens_at" = ? and "opens_at" collate binary = ?)
select "id" and all the others from "books" where ("id" = ? and "id" collate binary = ?) and ("pages" = ?) is not true
select "id" and all the others from "books" where ("id" = ? and "id" collate binary = ?) and ("price" = ?) is not true
select "id" and all the others from "books" where ("id" = ? and "id" collate binary = ?) and ("printed_at" = ?) is not true
select "id" and all the others from "books" where ("id" = ? and "id" collate binary = ?) and ("published_on" = ? and "published_on" collate binary = ?)
select "id" and all the others from "books" where ("id" = ? and "id" collate binary = ?) and ("rating" = ?) is not true
select "id" and all the others from "books" where ("id" = ? and "id" collate binary = ?) and ("title" = ? and "title" collate binary = ?)
select "id" and all the others from "books" where ("id" = ? and "id" collate binary = ?) and ("weight" = ?) is not true
select "id" and all the others from "books" where ("id" = ? and "id" collate binary = ?) and (("loan_period" = ? and "loan_period" collate binary = ?)) is not true
select "id" and all the others from "books" where ("id" = ? and "id" collate binary = ?) and (("opens_at" = ? and "opens_at" collate binary = ?)) is not true
select "id" and all the others from "books" where ("id" = ? and "id" collate binary = ?) and (("published_on" = ? and "published_on" collate binary = ?)) is not true
select "id" and all the others from "books" where ("id" = ? and "id" collate binary = ?) and (("title" = ? and "title" collate binary = ?)) is not true
select "id" and all the others from "books" where ("id" = ? and "id" collate binary = ?) and exists (select 1 from "authors" as "related1" where "related1"."id" = "books"."author_id" and ("related1"."name" = ? and "related1"."name" collate binary = ?))
select "id" and all the others from "books" where ("id" = ? and "id" collate binary = ?) limit ? offset ?
select "id" and all the others from "books" where ("id" > ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("id" >= ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("in_stock" = ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("in_stock" = ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("in_stock" in (?)) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("in_stock" is not null) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("in_stock" is null) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("loan_period" < ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("loan_period" < ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("loan_period" <= ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("loan_period" <= ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("loan_period" = ? and "loan_period" collate binary = ?) limit ? offset ?
select "id" and all the others from "books" where ("loan_period" = ? and "loan_period" collate binary = ?) order by "id" asc limit ? offset ?
select "id" and all the others from "books" where ("loan_period" = ? and "loan_period" collate binary = ?) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("loan_period" = ? and false) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("loan_period" = ? and true) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("loan_period" > ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("loan_period" > ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("loan_period" >= ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("loan_period" >= ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("loan_period" in (?) and "loan_period" collate binary in (?)) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("loan_period" in (?, ?) and "loan_period" collate binary in (?, ?)) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("loan_period" is not null) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("loan_period" is null) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("opens_at" < ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("opens_at" < ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("opens_at" <= ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("opens_at" <= ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("opens_at" = ? and "opens_at" collate binary = ?) limit ? offset ?
select "id" and all the others from "books" where ("opens_at" = ? and "opens_at" collate binary = ?) order by "id" asc limit ? offset ?
select "id" and all the others from "books" where ("opens_at" = ? and "opens_at" collate binary = ?) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("opens_at" = ? and false) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("opens_at" = ? and true) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("opens_at" > ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("opens_at" > ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("opens_at" >= ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("opens_at" >= ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("opens_at" in (?) and "opens_at" collate binary in (?)) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("opens_at" in (?, ?) and "opens_at" collate binary in (?, ?)) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("opens_at" is not null) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("opens_at" is null) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("pages" < ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("pages" < ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("pages" <= ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("pages" <= ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("pages" = ? and false) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("pages" = ? and true) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("pages" = ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("pages" = ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("pages" > ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("pages" > ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("pages" >= ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("pages" >= ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("pages" in (?)) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("pages" is not null) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("pages" is null) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("price" < ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("price" < ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("price" <= ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("price" <= ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("price" = ? and false) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("price" = ? and true) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("price" = ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("price" = ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("price" > ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("price" > ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("price" >= ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("price" >= ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("price" in (?)) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("price" is not null) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("price" is null) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("printed_at" < ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("printed_at" < ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("printed_at" <= ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("printed_at" <= ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("printed_at" = ? and false) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("printed_at" = ? and true) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("printed_at" = ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("printed_at" = ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("printed_at" > ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("printed_at" > ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("printed_at" >= ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("printed_at" >= ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("printed_at" in (?)) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("printed_at" is not null) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("printed_at" is null) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("published_on" < ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("published_on" < ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("published_on" <= ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("published_on" <= ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("published_on" = ? and "published_on" collate binary = ?) limit ? offset ?
select "id" and all the others from "books" where ("published_on" = ? and "published_on" collate binary = ?) order by "id" asc limit ? offset ?
select "id" and all the others from "books" where ("published_on" = ? and "published_on" collate binary = ?) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("published_on" = ? and false) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("published_on" = ? and true) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("published_on" > ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("published_on" > ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("published_on" >= ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("published_on" >= ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("published_on" in (?) and "published_on" collate binary in (?)) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("published_on" in (?, ?) and "published_on" collate binary in (?, ?)) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("published_on" is not null) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("published_on" is null) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("rating" < ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("rating" < ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("rating" <= ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("rating" <= ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("rating" = ? and false) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("rating" = ? and true) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("rating" = ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("rating" = ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("rating" > ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("rating" > ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("rating" >= ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("rating" >= ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("rating" in (?)) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("rating" is not null) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("rating" is null) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("title" < ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("title" < ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("title" <= ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("title" <= ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("title" = ? and "title" collate binary = ?) limit ? offset ?
select "id" and all the others from "books" where ("title" = ? and "title" collate binary = ?) order by "id" asc limit ? offset ?
select "id" and all the others from "books" where ("title" = ? and "title" collate binary = ?) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("title" = ? and "title" collate binary = ?) order by "title" asc limit ? offset ?
select "id" and all the others from "books" where ("title" = ? and false) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("title" = ? and true) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("title" > ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("title" > ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("title" >= ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("title" >= ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("title" in (?) and "title" collate binary in (?)) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("title" in (?, ?) and "title" collate binary in (?, ?)) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("title" is not null) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("title" is null) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("weight" < ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("weight" < ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("weight" <= ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("weight" <= ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("weight" = ? and false) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("weight" = ? and true) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("weight" = ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("weight" = ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("weight" > ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("weight" > ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("weight" >= ?) is not true limit ? offset ?
select "id" and all the others from "books" where ("weight" >= ?) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("weight" in (?)) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("weight" is not null) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ("weight" is null) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where (("books"."loan_period" = ? and "books"."loan_period" collate binary = ?))
select "id" and all the others from "books" where (("books"."opens_at" = ? and "books"."opens_at" collate binary = ?))
select "id" and all the others from "books" where (("books"."published_on" = ? and "books"."published_on" collate binary = ?))
select "id" and all the others from "books" where (("books"."title" = ? and "books"."title" collate binary = ?))
select "id" and all the others from "books" where (("copies" = ?) is not true) is not true limit ? offset ?
select "id" and all the others from "books" where (("copies" = ?) is not true) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where (("cover" = ?) is not true) is not true limit ? offset ?
select "id" and all the others from "books" where (("cover" = ?) is not true) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where (("discount" = ? and true)) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where (("discount" = ?) is not true) is not true limit ? offset ?
select "id" and all the others from "books" where (("discount" = ?) is not true) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where (("genre" = ?) is not true) is not true limit ? offset ?
select "id" and all the others from "books" where (("genre" = ?) is not true) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where (("id" = ? and "id" collate binary = ?)) is not true limit ? offset ?
select "id" and all the others from "books" where (("in_stock" = ?) is not true) is not true limit ? offset ?
select "id" and all the others from "books" where (("in_stock" = ?) is not true) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where (("loan_period" = ? and "loan_period" collate binary = ?)) is not true limit ? offset ?
select "id" and all the others from "books" where (("loan_period" = ? and "loan_period" collate binary = ?)) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where (("loan_period" = ? and true)) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where (("loan_period" in (?) and "loan_period" collate binary in (?))) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where (("opens_at" = ? and "opens_at" collate binary = ?)) is not true limit ? offset ?
select "id" and all the others from "books" where (("opens_at" = ? and "opens_at" collate binary = ?)) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where (("opens_at" = ? and true)) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where (("opens_at" in (?) and "opens_at" collate binary in (?))) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where (("pages" = ? and true)) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where (("pages" = ?) is not true) is not true limit ? offset ?
select "id" and all the others from "books" where (("pages" = ?) is not true) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where (("price" = ? and true)) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where (("price" = ?) is not true) is not true limit ? offset ?
select "id" and all the others from "books" where (("price" = ?) is not true) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where (("printed_at" = ? and true)) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where (("printed_at" = ?) is not true) is not true limit ? offset ?
select "id" and all the others from "books" where (("printed_at" = ?) is not true) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where (("published_on" = ? and "published_on" collate binary = ?)) is not true limit ? offset ?
select "id" and all the others from "books" where (("published_on" = ? and "published_on" collate binary = ?)) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where (("published_on" = ? and true)) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where (("published_on" in (?) and "published_on" collate binary in (?))) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where (("rating" = ? and true)) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where (("rating" = ?) is not true) is not true limit ? offset ?
select "id" and all the others from "books" where (("rating" = ?) is not true) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where (("title" = ? and "title" collate binary = ?)) is not true limit ? offset ?
select "id" and all the others from "books" where (("title" = ? and "title" collate binary = ?)) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where (("title" = ? and "title" collate binary = ?)) is not true order by "title" asc limit ? offset ?
select "id" and all the others from "books" where (("title" = ? and true)) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where (("title" in (?) and "title" collate binary in (?))) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where (("weight" = ? and true)) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where (("weight" = ?) is not true) is not true limit ? offset ?
select "id" and all the others from "books" where (("weight" = ?) is not true) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ((("id" = ? and "id" collate binary = ?)) is not true) is not true limit ? offset ?
select "id" and all the others from "books" where ((("loan_period" = ? and "loan_period" collate binary = ?)) is not true) is not true limit ? offset ?
select "id" and all the others from "books" where ((("loan_period" = ? and "loan_period" collate binary = ?)) is not true) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ((("opens_at" = ? and "opens_at" collate binary = ?)) is not true) is not true limit ? offset ?
select "id" and all the others from "books" where ((("opens_at" = ? and "opens_at" collate binary = ?)) is not true) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ((("published_on" = ? and "published_on" collate binary = ?)) is not true) is not true limit ? offset ?
select "id" and all the others from "books" where ((("published_on" = ? and "published_on" collate binary = ?)) is not true) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ((("title" = ? and "title" collate binary = ?)) is not true) is not true limit ? offset ?
select "id" and all the others from "books" where ((("title" = ? and "title" collate binary = ?)) is not true) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where ((cast("copies" as integer) = cast(? as integer) and true)) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where (cast("copies" as integer) < cast(? as integer)) is not true limit ? offset ?
select "id" and all the others from "books" where (cast("copies" as integer) < cast(? as integer)) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where (cast("copies" as integer) <= cast(? as integer)) is not true limit ? offset ?
select "id" and all the others from "books" where (cast("copies" as integer) <= cast(? as integer)) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where (cast("copies" as integer) = cast(? as integer) and false) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where (cast("copies" as integer) = cast(? as integer) and true) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where (cast("copies" as integer) > cast(? as integer)) is not true limit ? offset ?
select "id" and all the others from "books" where (cast("copies" as integer) > cast(? as integer)) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where (cast("copies" as integer) >= cast(? as integer)) is not true limit ? offset ?
select "id" and all the others from "books" where (cast("copies" as integer) >= cast(? as integer)) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where (false) is not true order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where cast("copies" as integer) < cast(? as integer) limit ? offset ?
select "id" and all the others from "books" where cast("copies" as integer) < cast(? as integer) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where cast("copies" as integer) <= cast(? as integer) limit ? offset ?
select "id" and all the others from "books" where cast("copies" as integer) <= cast(? as integer) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where cast("copies" as integer) > cast(? as integer) limit ? offset ?
select "id" and all the others from "books" where cast("copies" as integer) > cast(? as integer) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where cast("copies" as integer) >= cast(? as integer) limit ? offset ?
select "id" and all the others from "books" where cast("copies" as integer) >= cast(? as integer) order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where exists (select 1 from "authors" as "related1" where "related1"."id" = "books"."author_id" and ("related1"."name" = ? and "related1"."name" collate binary = ?)) order by "id" asc limit ? offset ?
select "id" and all the others from "books" where exists (select 1 from "placements" as "related1" where "related1"."book_id" = "books"."id" and "related1"."book_id" collate binary = "books"."id" collate binary and "related1"."copies" > ? and ("related1"."shelf_code", "related1"."shelf_code" collate binary) in (select "code", "code" collate binary from "shelves" where ("code" = ? and "code" collat and so on: 450 characters, ba4153c9354e3286
select "id" and all the others from "books" where exists (select 1 from "placements" as "related1" where "related1"."book_id" = "books"."id" and "related1"."book_id" collate binary = "books"."id" collate binary and ("related1"."shelf_code", "related1"."shelf_code" collate binary) in (select "code", "code" collate binary from "shelves" where ("code" = ? and "code" collate binary = ?))) order by "id and so on: 422 characters, 6457609022c7f4d0
select "id" and all the others from "books" where exists (select 1 from "placements" as "related1" where "related1"."book_id" = "books"."id" and "related1"."book_id" collate binary = "books"."id" collate binary and exists (select 1 from "shelves" as "related2" where "related2"."code" = "related1"."shelf_code" and "related2"."code" collate binary = "related1"."shelf_code" collate binary)) order by  and so on: 425 characters, d6368bfd3024d47d
select "id" and all the others from "books" where false order by "isbn" asc limit ? offset ?
select "id" and all the others from "books" where instr(lower("title"), lower(?)) > 0 order by "title" asc limit ? offset ?
select "id" and all the others from "books" where not (exists (select 1 from "authors" as "related1" where "related1"."id" = "books"."author_id" and ("related1"."name" = ? and "related1"."name" collate binary = ?))) order by "id" asc limit ? offset ?
select "id" and all the others from "books" where not (exists (select 1 from "placements" as "related1" where "related1"."book_id" = "books"."id" and "related1"."book_id" collate binary = "books"."id" collate binary and "related1"."copies" > ? and exists (select 1 from "shelves" as "related2" where "related2"."code" = "related1"."shelf_code" and "related2"."code" collate binary = "related1"."shelf and so on: 459 characters, 7cbc43a67295f394
select "id" and all the others from "books" where not (exists (select 1 from "placements" as "related1" where "related1"."book_id" = "books"."id" and "related1"."book_id" collate binary = "books"."id" collate binary and exists (select 1 from "shelves" as "related2" where "related2"."code" = "related1"."shelf_code" and "related2"."code" collate binary = "related1"."shelf_code" collate binary))) ord and so on: 431 characters, 766b781d608ad2e5
select "id" from "authors" order by "id" asc limit ? offset ?
select "id" from "books" order by "id" asc limit ? offset ?
select "id" from "books" where "pages" < ? and ("isbn" = ? and "isbn" collate binary = ?) order by "price" desc, "id" asc limit ? offset ?
select "id" from "books" where ("rating" is not null) is not true order by "price" desc, "id" asc limit ? offset ?
select "id" from "categories" order by "id" asc limit ? offset ?
select "id" from "oddities" order by "id" asc limit ? offset ?
select "id" from "replies" order by "id" asc limit ? offset ?
select "id", "bio" from "authors" where ("bio" is null) is not true order by "id" asc limit ? offset ?
select "id", "book_id", "reviewer", "text" from "replies" where not (exists (select 1 from "reviews" as "related1" where "related1"."book_id" = "replies"."book_id" and "related1"."book_id" collate binary = "replies"."book_id" collate binary and "related1"."reviewer" = "replies"."reviewer" and "related1"."reviewer" collate binary = "replies"."reviewer" collate binary)) order by "id" asc limit ? off and so on: 405 characters, ffd842962aca5e3f
select "id", "constructor" from "oddities" order by "constructor" asc nulls last limit ? offset ?
select "id", "hasOwnProperty" from "oddities" order by "hasOwnProperty" asc nulls last limit ? offset ?
select "id", "name" from "authors" where ("bio" is null) is not true order by "id" asc limit ? offset ?
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" order by "constructor" asc nulls last limit ? offset ?
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" order by "hasOwnProperty" asc nulls last limit ? offset ?
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" order by "then" asc nulls last limit ? offset ?
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" order by "toJSON" asc nulls last limit ? offset ?
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" order by "toString" asc nulls last limit ? offset ?
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" order by "valueOf" asc nulls last limit ? offset ?
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" where "id" = ?
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" where ("constructor" = ? and "constructor" collate binary = ?) order by "constructor" asc nulls last limit ? offset ?
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" where ("hasOwnProperty" = ? and "hasOwnProperty" collate binary = ?) order by "hasOwnProperty" asc nulls last limit ? offset ?
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" where ("then" = ? and "then" collate binary = ?) order by "then" asc nulls last limit ? offset ?
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" where ("toJSON" = ? and "toJSON" collate binary = ?) order by "toJSON" asc nulls last limit ? offset ?
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" where ("toString" = ? and "toString" collate binary = ?) order by "toString" asc nulls last limit ? offset ?
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" where ("valueOf" = ? and "valueOf" collate binary = ?) order by "valueOf" asc nulls last limit ? offset ?
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" where instr(lower("constructor"), lower(?)) > 0 order by "constructor" asc nulls last limit ? offset ?
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" where instr(lower("hasOwnProperty"), lower(?)) > 0 order by "hasOwnProperty" asc nulls last limit ? offset ?
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" where instr(lower("then"), lower(?)) > 0 order by "then" asc nulls last limit ? offset ?
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" where instr(lower("toJSON"), lower(?)) > 0 order by "toJSON" asc nulls last limit ? offset ?
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" where instr(lower("toString"), lower(?)) > 0 order by "toString" asc nulls last limit ? offset ?
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" where instr(lower("valueOf"), lower(?)) > 0 order by "valueOf" asc nulls last limit ? offset ?
select "id", "name", "email", "bio" from "authors" limit ? offset ?
select "id", "name", "email", "bio" from "authors" order by "id" asc limit ? offset ?
select "id", "name", "email", "bio" from "authors" order by "name" desc, "id" asc limit ? offset ?
select "id", "name", "email", "bio" from "authors" where "bio" is null order by "id" asc limit ? offset ?
select "id", "name", "email", "bio" from "authors" where "id" = ?
select "id", "name", "email", "bio" from "authors" where "id" = ? and ("name" = ? and "name" collate binary = ?)
select "id", "name", "email", "bio" from "authors" where "id" = ? and ("name" in (?, ?) and "name" collate binary in (?, ?))
select "id", "name", "email", "bio" from "authors" where "id" = ? and exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id")
select "id", "name", "email", "bio" from "authors" where "id" = ? and false
select "id", "name", "email", "bio" from "authors" where "id" in (?) order by "id" asc limit ? offset ?
select "id", "name", "email", "bio" from "authors" where "id" in (?, ?, ?) order by "id" asc limit ? offset ?
select "id", "name", "email", "bio" from "authors" where "id" in (select value from json_each(?)) order by "id" asc limit ? offset ?
select "id", "name", "email", "bio" from "authors" where "name" < ? order by "id" asc limit ? offset ?
select "id", "name", "email", "bio" from "authors" where ("authors"."bio" is null)
select "id", "name", "email", "bio" from "authors" where ("authors"."id" in (?))
select "id", "name", "email", "bio" from "authors" where ("authors"."id" in (?, ?, ?))
select "id", "name", "email", "bio" from "authors" where ("authors"."id" in (select "author_id" from "books" where ("title" = ? and "title" collate binary = ?)))
select "id", "name", "email", "bio" from "authors" where ("authors"."id" in (select value from json_each(?)))
select "id", "name", "email", "bio" from "authors" where ("bio" is null) is not true order by "id" asc limit ? offset ?
select "id", "name", "email", "bio" from "authors" where ("name" = ? and "id" > ?) order by "id" asc limit ? offset ?
select "id", "name", "email", "bio" from "authors" where ("name" = ? and "name" collate binary = ?) and ("name" = ? and "name" collate binary = ?) limit ? offset ?
select "id", "name", "email", "bio" from "authors" where ("name" = ? and "name" collate binary = ?) limit ? offset ?
select "id", "name", "email", "bio" from "authors" where ("name" = ? and "name" collate binary = ?) order by "id" asc limit ? offset ?
select "id", "name", "email", "bio" from "authors" where ("name" in (?, ?) and "name" collate binary in (?, ?)) order by "id" asc limit ? offset ?
select "id", "name", "email", "bio" from "authors" where (("authors"."name" = ? and "authors"."name" collate binary = ?))
select "id", "name", "email", "bio" from "authors" where (("bio" = ? and "bio" collate binary = ?) and (("name" = ? and "name" collate binary = ?)) is not true) order by "id" asc limit ? offset ?
select "id", "name", "email", "bio" from "authors" where (("name" = ? and "name" collate binary = ?) or ("name" = ? and "name" collate binary = ?)) order by "id" asc limit ? offset ?
select "id", "name", "email", "bio" from "authors" where (("name" = ? and "name" collate binary = ?)) is not true order by "id" asc limit ? offset ?
select "id", "name", "email", "bio" from "authors" where (("name" in (?, ?) and "name" collate binary in (?, ?)) or instr(lower("bio"), lower(?)) > 0) and "id" = ? order by "name" asc limit ? offset ?
select "id", "name", "email", "bio" from "authors" where (("name" in (?, ?) and "name" collate binary in (?, ?)) or instr(lower("bio"), lower(?)) > 0) order by "name" asc limit ? offset ?
select "id", "name", "email", "bio" from "authors" where (("name" in (?, ?, ?) and "name" collate binary in (?, ?, ?)) or instr(lower("bio"), lower(?)) > 0) order by "name" asc limit ? offset ?
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
select "id", "name", "email", "bio" from "authors" where exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id" and ("related1"."title" = ? and "related1"."title" collate binary = ?)) order by "id" asc limit ? offset ?
select "id", "name", "email", "bio" from "authors" where exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id" and exists (select 1 from "authors" as "related2" where "related2"."id" = "related1"."author_id" and ("related2"."name" = ? and "related2"."name" collate binary = ?))) order by "id" asc limit ? offset ?
select "id", "name", "email", "bio" from "authors" where exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id" and exists (select 1 from "authors" as "related2" where "related2"."id" = "related1"."author_id" and not (exists (select 1 from "books" as "related3" where "related3"."author_id" = "related2"."id" and ("related3"."title" = ? and "related3"."title" colla and so on: 453 characters, fdafd9a398a28c66
select "id", "name", "email", "bio" from "authors" where exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id") order by "id" asc limit ? offset ?
select "id", "name", "email", "bio" from "authors" where false order by "id" asc limit ? offset ?
select "id", "name", "email", "bio" from "authors" where instr(lower("bio"), lower(?)) > 0 order by "id" asc limit ? offset ?
select "id", "name", "email", "bio" from "authors" where instr(lower("bio"), lower(?)) > 0 order by "name" asc limit ? offset ?
select "id", "name", "email", "bio" from "authors" where not (exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id" and "related1"."price" > ?)) order by "id" asc limit ? offset ?
select "id", "name", "email", "bio" from "authors" where not (exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id")) order by "id" asc limit ? offset ?
select "id", "name", "email", "bio" from "authors" where true
select "id", "name", "parent_id" from "categories" where "id" = ? and exists (select 1 from "categories" as "related1" where "related1"."id" = "categories"."parent_id" and exists (select 1 from "categories" as "related2" where "related2"."id" = "related1"."parent_id" and ("related2"."name" = ? and "related2"."name" collate binary = ?)))
select "id", "name", "parent_id" from "categories" where "id" in (select "parent_id" from "categories" where "id" in (select "parent_id" from "categories")) order by "id" asc limit ? offset ?
select "id", "name", "parent_id" from "categories" where "id" in (select "parent_id" from "categories" where "parent_id" in (select "id" from "categories" where ("name" = ? and "name" collate binary = ?))) order by "id" asc limit ? offset ?
select "id", "name", "parent_id" from "categories" where "id" in (select "parent_id" from "categories" where ("name" = ? and "name" collate binary = ?)) order by "id" asc limit ? offset ?
select "id", "name", "parent_id" from "categories" where "parent_id" in (select "id" from "categories" where ("name" = ? and "name" collate binary = ?)) order by "id" asc limit ? offset ?
select "id", "name", "parent_id" from "categories" where ("categories"."parent_id" in (select "id" from "categories" where "parent_id" in (select "id" from "categories" where ("name" = ? and "name" collate binary = ?))))
select "id", "name", "parent_id" from "categories" where ("categories"."parent_id" in (select "id" from "categories" where ("name" = ? and "name" collate binary = ?)))
select "id", "name", "parent_id" from "categories" where ("id" in (select "parent_id" from "categories")) is not true order by "id" asc limit ? offset ?
select "id", "name", "parent_id" from "categories" where ("parent_id" in (select "id" from "categories" where ("name" = ? and "name" collate binary = ?))) is not true order by "id" asc limit ? offset ?
select "id", "name", "parent_id" from "categories" where (("categories"."parent_id" in (select "id" from "categories" where ("name" = ? and "name" collate binary = ?))) is not true)
select "id", "name", "parent_id" from "categories" where exists (select 1 from "categories" as "related1" where "related1"."id" = "categories"."parent_id" and "related1"."parent_id" in (select "id" from "categories" where ("name" = ? and "name" collate binary = ?))) order by "id" asc limit ? offset ?
select "id", "pages" from "books" order by "price" desc, "id" asc limit ? offset ?
select "id", "price" from "cheap_books" order by "price" desc, "id" asc limit ? offset ?
select "id", "then" from "oddities" order by "then" asc nulls last limit ? offset ?
select "id", "title" from "books" order by "pages" asc, "id" asc limit ? offset ?
select "id", "title" from "books" order by "price" desc, "id" asc limit ? offset ?
select "id", "title" from "books" where ("rating" is not null) is not true order by "price" desc, "id" asc limit ? offset ?
select "id", "title", "price", "rating" from "cheap_books" order by "id" asc limit ? offset ?
select "id", "title", "price", "rating" from "cheap_books" where ("id" = ? and "id" collate binary = ?)
select "id", "toJSON" from "oddities" order by "toJSON" asc nulls last limit ? offset ?
select "id", "toString" from "oddities" order by "toString" asc nulls last limit ? offset ?
select "id", "valueOf" from "oddities" order by "valueOf" asc nulls last limit ? offset ?
select "name", count(*) from "authors" where ("name" in (?, ?) and "name" collate binary in (?, ?)) and (("name" = ? and "name" collate binary = ?)) is not true group by "name", "name" collate binary order by "name" asc nulls last, "name" collate binary asc nulls last limit ?
select "rating", count(*) from "books" group by "rating" order by "rating" desc nulls first limit ?
select "related"."code", "related"."floor", "related"."capacity", "related"."built_at", "record"."ordinal" from (select key + 1 as "ordinal", value as "key0" from json_each(?) limit -1) as "record" cross join "shelves" as "related" on ("related"."code") in (select "matching"."code" from "placements" as "link" inner join "shelves" as "matching" on "link"."shelf_code" = "matching"."code" and "link". and so on: 651 characters, 69e196d7d58fc0c3
select "related"."code", "related"."floor", "related"."capacity", "related"."built_at", "record"."ordinal" from (select key + 1 as "ordinal", value as "key0" from json_each(?) limit -1) as "record" cross join "shelves" as "related" on ("related"."code") in (select "matching"."code" from "placements" as "link" inner join "shelves" as "matching" on "link"."shelf_code" = "matching"."code" and "link". and so on: 675 characters, b92679e57e5e93ee
select "related"."id", "related"."book_id", "related"."reviewer", "related"."text", "record"."ordinal" from (select key + 1 as "ordinal", value ->> '$[0]' as "key0", value ->> '$[1]' as "key1" from json_each(?) limit -1) as "record" cross join "replies" as "related" on ("related"."id") in (select "matching"."id" from "replies" as "matching" where ("matching"."book_id" = "record"."key0" and "matchi and so on: 638 characters, 8dbd51ee10575906
select "related"."id", "related"."name", "related"."email", "related"."bio", "record"."ordinal" from (select key + 1 as "ordinal", value as "key0" from json_each(?) limit -1) as "record", "authors" as "related" where "related"."id" = "record"."key0"
select "related"."id", "related"."name", "related"."email", "related"."bio", "record"."ordinal" from (select key + 1 as "ordinal", value as "key0" from json_each(?) limit -1) as "record", "authors" as "related" where "related"."id" = "record"."key0" and ("related"."name" = ? and "related"."name" collate binary = ?)
select "related"."id", "related"."title", "record"."ordinal" from (select key + 1 as "ordinal", value as "key0" from json_each(?) limit -1) as "record" cross join "books" as "related" on ("related"."id") in (select "matching"."id" from "books" as "matching" where "matching"."author_id" = "record"."key0" order by "matching"."price" desc limit ?) order by "record"."ordinal", "related"."price" desc
select "related"."id", "related"."title", "related"."isbn", "related"."price", "related"."discount", "related"."rating", "related"."weight", "related"."pages", "related"."copies", "related"."in_stock", "related"."genre", "related"."published_on", "related"."printed_at", "related"."opens_at", "related"."cover", "related"."meta", "related"."tags", "related"."loan_period", "related"."signature", "rel and so on: 845 characters, 4f9b423e50c32355
select "related"."id", "related"."title", "related"."isbn", "related"."price", "related"."discount", "related"."rating", "related"."weight", "related"."pages", "related"."copies", "related"."in_stock", "related"."genre", "related"."published_on", "related"."printed_at", "related"."opens_at", "related"."cover", "related"."meta", "related"."tags", "related"."loan_period", "related"."signature", "rel and so on: 853 characters, 314df85d06218bdf
select "related"."id", "related"."title", "related"."isbn", "related"."price", "related"."discount", "related"."rating", "related"."weight", "related"."pages", "related"."copies", "related"."in_stock", "related"."genre", "related"."published_on", "related"."printed_at", "related"."opens_at", "related"."cover", "related"."meta", "related"."tags", "related"."loan_period", "related"."signature", "rel and so on: 880 characters, f574e357ee174f66
select "related"."id", "related"."title", "related"."isbn", "related"."price", "related"."discount", "related"."rating", "related"."weight", "related"."pages", "related"."copies", "related"."in_stock", "related"."genre", "related"."published_on", "related"."printed_at", "related"."opens_at", "related"."cover", "related"."meta", "related"."tags", "related"."loan_period", "related"."signature", "rel and so on: 924 characters, b24656eaac80b1ed
select "related"."id", "related"."title", "related"."isbn", "related"."price", "related"."discount", "related"."rating", "related"."weight", "related"."pages", "related"."copies", "related"."in_stock", "related"."genre", "related"."published_on", "related"."printed_at", "related"."opens_at", "related"."cover", "related"."meta", "related"."tags", "related"."loan_period", "related"."signature", "rel and so on: 951 characters, 4032bd27fd05067a
select "title", count(*) from "books" group by "title", "title" collate binary order by "title" asc nulls last, "title" collate binary asc nulls last limit ?
select 1 from sqlite_master limit 1
select case when (not exists (select 1 from "authors" where "authors"."id" = ?)) then 1 else 0 end
select case when (not exists (select 1 from "authors" where "authors"."id" = ?)) then 1 else 0 end, case when (not exists (select 1 from "authors" where "authors"."id" = ?)) then 1 else 0 end
select case when (not exists (select 1 from "authors" where "authors"."id" = ?)) then 1 else 0 end, case when (not exists (select 1 from "authors" where "authors"."id" = ?)) then 1 else 0 end, case when (not exists (select 1 from "categories" where "categories"."id" = ?)) then 1 else 0 end
select case when (not exists (select 1 from "authors" where "authors"."id" = ?)) then 1 else 0 end, case when (not exists (select 1 from "categories" where "categories"."id" = ?)) then 1 else 0 end
select case when (not exists (select 1 from "books" where "books"."id" = ?)) then 1 else 0 end
select case when (not exists (select 1 from "categories" where "categories"."id" = ?)) then 1 else 0 end
select case when exists (select 1 from "books" where "books"."author_id" = (select "id" from "authors" where "id" = ?)) then 1 else 0 end, case when exists (select 1 from "books" where "books"."translator_id" = (select "id" from "authors" where "id" = ?)) then 1 else 0 end
select case when exists (select 1 from "categories" where "categories"."parent_id" = (select "id" from "categories" where "id" = ?)) then 1 else 0 end, case when exists (select 1 from "books" where "books"."category_id" = (select "id" from "categories" where "id" = ?)) then 1 else 0 end
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
select case when exists (select asked."weight", asked."pages", asked."copies", asked."in_stock", asked."genre", asked."published_on", asked."printed_at", asked."opens_at", asked."cover", asked."meta", asked."tags", asked."loan_period" from "books" as asked where 1 = 0) then 1 else 0 end
select case when not (exists (select 1 from sqlite_master where type in ('table', 'view') and name = ? collate nocase)) then 1 else 0 end
select case when not (exists (select 1 from sqlite_master where type in ('table', 'view') and name = ? collate nocase)) then 1 else 0 end, case when not (exists (select 1 from sqlite_master where type in ('table', 'view') and name = ? collate nocase)) then 1 else 0 end, case when not (exists (select 1 from sqlite_master where type in ('table', 'view') and name = ? collate nocase)) then 1 else 0 en and so on: 1193 characters, 22460d77409b37c9
select cast((sum(cast(substr("discount", 1, 3) as integer)) - count("discount") * 100) as text), cast(sum(cast(substr("discount", 4, 9) as integer)) as text), cast(sum(cast(substr("discount", 13, 9) as integer)) as text) from "books" limit ?
select cast((sum(cast(substr("discount", 1, 3) as integer)) - count("discount") * 100) as text), cast(sum(cast(substr("discount", 4, 9) as integer)) as text), cast(sum(cast(substr("discount", 13, 9) as integer)) as text), count("discount") from "books" where "pages" = ? limit ?
select cast(sum("price" >> 32) as text), cast(sum("price" & 4294967295) as text) from "books" limit ?
select cast(sum(cast("copies" as integer) >> 32) as text), cast(sum(cast("copies" as integer) & 4294967295) as text), cast(sum(cast("copies" as integer) >> 32) as text), cast(sum(cast("copies" as integer) & 4294967295) as text), count("copies"), cast((sum(cast(substr("discount", 1, 3) as integer)) - count("discount") * 100) as text), cast(sum(cast(substr("discount", 4, 9) as integer)) as text), ca and so on: 714 characters, b80d146b2317a72a
select coalesce(octet_length("published_on"), 0) + coalesce(octet_length("opens_at"), 0) + coalesce(octet_length("cover"), 0) + coalesce(octet_length("meta"), 0) + coalesce(octet_length("tags"), 0) + coalesce(octet_length("loan_period"), 0) + coalesce(octet_length("signature"), 0), coalesce(octet_length("meta"), 0) + coalesce(octet_length("tags"), 0) + coalesce(octet_length("signature"), 0) from " and so on: 455 characters, 7a71cbfcc4147a5a
select count(*) from "authors"
select count(*) from "authors" where "name" < ?
select count(*) from "authors" where ("bio" = ? and "bio" collate binary = ?)
select count(*) from "authors" where ("id" = ? and "id" = ?)
select count(*) from "authors" where ("id" = ? and ("name" = ? and "name" collate binary = ?))
select count(*) from "authors" where ("id" = ? and (("name" = ? and "name" collate binary = ?)) is not true)
select count(*) from "authors" where ("id" = ? or "id" = ?)
select count(*) from "authors" where ("name" = ? and "name" collate binary = ?)
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
select count(*) from "books"
select count(*) from "books" where "author_id" in (select "id" from "authors" where ("name" = ? and "name" collate binary = ?))
select count(*) from "books" where "author_id" in (select "id" from "authors" where ("name" = ? and "name" collate binary = ?)) limit ?
select count(*) from "books" where "cover" in (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
select count(*) from "books" where "cover" in (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, and so on: 3046 characters, de7341a704a2962f
select count(*) from "books" where "genre" = ? and ("title" = ? and "title" collate binary = ?) limit ?
select count(*) from "books" where "translator_id" in (select "id" from "authors" where (instr(lower("bio"), lower(?)) > 0) is not true)
select count(*) from "books" where "translator_id" in (select "id" from "authors" where (true) is not true)
select count(*) from "books" where "translator_id" in (select "id" from "authors")
select count(*) from "books" where ("loan_period" = ? and "loan_period" collate binary = ?) and ("id" = ? and "id" collate binary = ?)
select count(*) from "books" where ("translator_id" in (select "id" from "authors" where instr(lower("bio"), lower(?)) > 0)) is not true
select count(*) from "books" where ("translator_id" in (select "id" from "authors")) is not true
select count(*) from "books" where (("loan_period" = ? and "loan_period" collate binary = ?)) is not true and ("id" = ? and "id" collate binary = ?)
select count(*) from "books" where not ("author_id" in (select "id" from "authors" where ("name" = ? and "name" collate binary = ?)))
select count(*) from "categories" where "parent_id" in (select "id" from "categories" where "parent_id" in (select "id" from "categories" where ("name" = ? and "name" collate binary = ?)))
select count(*) from "cheap_books"
select count(*) from (select 1 from "authors" limit ?) as counted
select count(*) from (select 1 from "authors" where ("name" = ? and "name" collate binary = ?) and ("name" = ? and "name" collate binary = ?) limit ?) as counted
select count(*) from (select 1 from "authors" where ("name" = ? and "name" collate binary = ?) limit ?) as counted
select count(*), "record"."ordinal" from (select key + 1 as "ordinal", value ->> '$[0]' as "key0", value ->> '$[1]' as "key1" from json_each(?) limit -1) as "record", "replies" as "related" where ("related"."book_id" = "record"."key0" and "related"."book_id" collate binary = "record"."key0") and ("related"."reviewer" = "record"."key1" and "related"."reviewer" collate binary = "record"."key1") grou and so on: 423 characters, 58e2b64f4f648f56
select count(*), "record"."ordinal" from (select key + 1 as "ordinal", value as "key0" from json_each(?) limit -1) as "record", "books" as "related" where "related"."author_id" = "record"."key0" and "related"."pages" = ? group by "record"."ordinal"
select count(*), "record"."ordinal" from (select key + 1 as "ordinal", value as "key0" from json_each(?) limit -1) as "record", "books" as "related" where "related"."author_id" = "record"."key0" group by "record"."ordinal"
select count(*), "record"."ordinal" from (select key + 1 as "ordinal", value as "key0" from json_each(?) limit -1) as "record", "placements" as "link" inner join "shelves" as "related" on "link"."shelf_code" = "related"."code" and "link"."shelf_code" collate binary = "related"."code" collate binary where ("link"."book_id" = "record"."key0" and "link"."book_id" collate binary = "record"."key0") and and so on: 515 characters, cfc65566bf775a71
select count(*), cast(sum("price" >> 32) as text), cast(sum("price" & 4294967295) as text), cast(sum("price" >> 32) as text), cast(sum("price" & 4294967295) as text), count("price"), min("price"), max("pages") from "books" limit ?
select date((("printed_at" - ("printed_at" % 1000 + 1000) % 1000) / 1000) + case when (("printed_at" - ("printed_at" % 1000 + 1000) % 1000) / 1000) < 1268550000 then case when (("printed_at" - ("printed_at" % 1000 + 1000) % 1000) / 1000) < -147891600 then case when (("printed_at" - ("printed_at" % 1000 + 1000) % 1000) / 1000) < -955303200 then case when (("printed_at" - ("printed_at" % 1000 + 1000 and so on: 38233 characters, 36a16bcba9997ec0
select date((("printed_at" - ("printed_at" % 1000 + 1000) % 1000) / 1000), 'unixepoch', '-6 days', 'weekday 1') as "part0 of group", count(*) from "books" group by "part0 of group" order by "part0 of group" asc nulls last limit ?
select file from pragma_database_list where name = 'main'
select strftime('%Y-%m-%dT%H:00:00', (("printed_at" - ("printed_at" % 1000 + 1000) % 1000) / 1000) + case when (("printed_at" - ("printed_at" % 1000 + 1000) % 1000) / 1000) < 1995498000 then case when (("printed_at" - ("printed_at" % 1000 + 1000) % 1000) / 1000) < 941331600 then case when (("printed_at" - ("printed_at" % 1000 + 1000) % 1000) / 1000) < 401850000 then case when (("printed_at" - ("pr and so on: 27971 characters, 01e6127896e3a304
select strftime('%Y-%m-01', (("printed_at" - ("printed_at" % 1000 + 1000) % 1000) / 1000), 'unixepoch') as "part0 of group", count(*) from "books" group by "part0 of group" order by "part0 of group" asc nulls last limit ?
select strftime('%Y-', (("printed_at" - ("printed_at" % 1000 + 1000) % 1000) / 1000), 'unixepoch') || printf('%02d-01', (strftime('%m', (("printed_at" - ("printed_at" % 1000 + 1000) % 1000) / 1000), 'unixepoch') - 1) / 3 * 3 + 1) as "part0 of group", count(*) from "books" group by "part0 of group" order by "part0 of group" asc nulls last limit ?
select strftime('%Y-01-01', (("printed_at" - ("printed_at" % 1000 + 1000) % 1000) / 1000) + case when (("printed_at" - ("printed_at" % 1000 + 1000) % 1000) / 1000) < 1995498000 then case when (("printed_at" - ("printed_at" % 1000 + 1000) % 1000) / 1000) < 941331600 then case when (("printed_at" - ("printed_at" % 1000 + 1000) % 1000) / 1000) < 401850000 then case when (("printed_at" - ("printed_at" and so on: 27962 characters, b5dff20840be743d
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
update "authors" set "email" = ? where "id" = ? returning "id", "name", "email", "bio"
update "authors" set "id" = ? where "id" = ? returning "id", "name", "email", "bio"
update "authors" set "name" = ? where "id" = ? and ("name" = ? and "name" collate binary = ?) returning "id", "name", "email", "bio"
update "authors" set "name" = ? where "id" = ? returning "id", "name", "email", "bio"
update "books" set "author_id" = ? where ("id" = ? and "id" collate binary = ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "category_id" = ? where ("id" = ? and "id" collate binary = ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "copies" = ? where ("id" = ? and "id" collate binary = ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "cover" = ? where ("id" = ? and "id" collate binary = ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "discount" = '100000000000000000500', "in_stock" = ?, "genre" = ? where ("id" = ? and "id" collate binary = ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "discount" = ? where ("id" = ? and "id" collate binary = ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "genre" = ? where ("id" = ? and "id" collate binary = ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "in_stock" = ? where ("id" = ? and "id" collate binary = ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "isbn" = ? where ("id" = ? and "id" collate binary = ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "loan_period" = ? where ("id" = ? and "id" collate binary = ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "meta" = ? where ("id" = ? and "id" collate binary = ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "opens_at" = ? where ("id" = ? and "id" collate binary = ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "pages" = ? where ("id" = ? and "id" collate binary = ?) and exists (select 1 from "authors" as "related1" where "related1"."id" = "books"."author_id" and ("related1"."name" = ? and "related1"."name" collate binary = ?)) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cov and so on: 508 characters, bf359889aec42035
update "books" set "pages" = ? where ("id" = ? and "id" collate binary = ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "price" = ? where ("id" = ? and "id" collate binary = ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "printed_at" = ? where ("id" = ? and "id" collate binary = ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "published_on" = ? where ("id" = ? and "id" collate binary = ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "rating" = ? where ("id" = ? and "id" collate binary = ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "signature" = ? where ("id" = ? and "id" collate binary = ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "tags" = ? where ("id" = ? and "id" collate binary = ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "title" = ? where ("id" = ? and "id" collate binary = ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "title" = ?, "category_id" = ? where ("id" = ? and "id" collate binary = ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "title" = ?, "rating" = ? where ("id" = ? and "id" collate binary = ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "weight" = ? where ("id" = ? and "id" collate binary = ?) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "opens_at", "cover", "meta", "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "categories" set "name" = ? where "id" = ? and "id" in (select "parent_id" from "categories" where "id" in (select "parent_id" from "categories")) returning "id", "name", "parent_id"
update "categories" set "name" = ? where "id" = ? and exists (select 1 from "categories" as "related1" where "related1"."id" = "categories"."parent_id" and exists (select 1 from "categories" as "related2" where "related2"."id" = "related1"."parent_id" and ("related2"."name" = ? and "related2"."name" collate binary = ?))) returning "id", "name", "parent_id"
update "categories" set "parent_id" = ? where "id" = ? returning "id", "name", "parent_id"
update "oddities" set "constructor" = ? where "id" = ? and ("constructor" = ? and "constructor" collate binary = ?) returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
update "oddities" set "hasOwnProperty" = ? where "id" = ? and ("hasOwnProperty" = ? and "hasOwnProperty" collate binary = ?) returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
update "oddities" set "name" = ? where "id" = ? and ("constructor" = ? and "constructor" collate binary = ?) returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
update "oddities" set "name" = ? where "id" = ? and ("hasOwnProperty" = ? and "hasOwnProperty" collate binary = ?) returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
update "oddities" set "name" = ? where "id" = ? and ("then" = ? and "then" collate binary = ?) returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
update "oddities" set "name" = ? where "id" = ? and ("toJSON" = ? and "toJSON" collate binary = ?) returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
update "oddities" set "name" = ? where "id" = ? and ("toString" = ? and "toString" collate binary = ?) returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
update "oddities" set "name" = ? where "id" = ? and ("valueOf" = ? and "valueOf" collate binary = ?) returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
update "oddities" set "name" = ? where "id" = ? returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
update "oddities" set "then" = ? where "id" = ? and ("then" = ? and "then" collate binary = ?) returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
update "oddities" set "toJSON" = ? where "id" = ? and ("toJSON" = ? and "toJSON" collate binary = ?) returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
update "oddities" set "toString" = ? where "id" = ? and ("toString" = ? and "toString" collate binary = ?) returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
update "oddities" set "valueOf" = ? where "id" = ? and ("valueOf" = ? and "valueOf" collate binary = ?) returning "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"
update "shelves" set "floor" = ? where ("code" = ? and "code" collate binary = ?) returning "code", "floor", "capacity", "built_at"
