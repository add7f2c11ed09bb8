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
delete from "categories" where "id" = $1 and exists (select 1 from "categories" as "related1" where "related1"."id" = "categories"."parent_id" and exists (select 1 from "categories" as "related2" where "related2"."id" = "related1"."parent_id" and "related2"."name" = $2)) returning "id", "name", "parent_id"
explain (format json) select 1 from "authors" where "id" is null
explain (format json) select 1 from "cheap_books"
insert into "authors" ("id", "name") values (default, $1), ($2, $3), (default, $4) returning "id", "name", "email", "bio"
insert into "books" ("id", "title", "isbn", "price", "pages", "printed_at", "author_id") values ($1, $2, $3, $4, $5, $6, $7) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "tit and so on: 410 characters, 882104194873ec9e
select "book_id", "reviewer" from "reviews" order by "book_id" asc, "reviewer" asc limit $1 offset $2
select "book_id", "reviewer", "stars" from "reviews" limit $1 offset $2
select "book_id", "reviewer", "stars", "note" from "reviews" where "book_id" = $1 and "reviewer" = $2
select "book_id", "reviewer", "stars", "note" from "reviews" where exists (select 1 from "replies" as "related1" where "related1"."book_id" = "reviews"."book_id" and "related1"."reviewer" = "reviews"."reviewer" and "related1"."text" = $1) order by "book_id" asc, "reviewer" asc limit $2 offset $3
select "book_id", "reviewer", "stars", "note" from "reviews" where exists (select 1 from "replies" as "related1" where "related1"."book_id" = "reviews"."book_id" and "related1"."reviewer" = "reviews"."reviewer") order by "book_id" asc, "reviewer" asc limit $1 offset $2
select "books"."id", "books"."title", "books"."isbn", "books"."price", "books"."discount", "books"."rating", "books"."weight", "books"."pages", "books"."copies", "books"."in_stock", "books"."genre", "books"."published_on", "books"."printed_at", "books"."sold_at", "books"."opens_at", "books"."cover", "books"."meta"::text, "books"."tags", "books"."loan_period", "books"."signature", "books"."author_i and so on: 655 characters, 84dc81005b7d56f4
select "books"."id", "books"."title", "books"."isbn", "books"."price", "books"."discount", "books"."rating", "books"."weight", "books"."pages", "books"."copies", "books"."in_stock", "books"."genre", "books"."published_on", "books"."printed_at", "books"."sold_at", "books"."opens_at", "books"."cover", "books"."meta"::text, "books"."tags", "books"."loan_period", "books"."signature", "books"."author_i and so on: 657 characters, 83ba99408a3c4f7d
select "books"."id", "books"."title", "books"."isbn", "books"."price", "books"."discount", "books"."rating", "books"."weight", "books"."pages", "books"."copies", "books"."in_stock", "books"."genre", "books"."published_on", "books"."printed_at", "books"."sold_at", "books"."opens_at", "books"."cover", "books"."meta"::text, "books"."tags", "books"."loan_period", "books"."signature", "books"."author_i and so on: 678 characters, b2959061665c6e1d
select "code", "floor", "capacity", "built_at" from "shelves" where "code" = $1
select "code", "floor", "capacity", "built_at" from "shelves" where ("floor" = $1) is not true order by "code" asc limit $2 offset $3
select "code", "floor", "capacity", "built_at" from "shelves" where ("floor" in ($1, $2)) is not true order by "code" asc limit $3 offset $4
select "code", "floor", "capacity", "built_at" from "shelves" where (("floor" = $1 or "floor" = $2)) is not true order by "code" asc limit $3 offset $4
select "genre", count(*), count("rating"), sum("rating"::double precision) from "books" group by "genre" order by "genre" asc nulls last limit $1
select "genre", sum("copies")::text, sum("discount")::text, sum("copies")::text, count("copies"), sum("discount")::text, count("discount"), count(*), max("pages"), sum("rating"::double precision), min("rating") from "books" group by "genre" having ("genre" = $1) is not true order by "genre" asc nulls last limit $2
select "genre", sum("copies")::text, sum("discount")::text, sum("copies")::text, count("copies"), sum("discount")::text, count("discount"), count(*), max("pages"), sum("rating"::double precision), min("rating") from "books" group by "genre" having (count(*) < $1) is not true order by "genre" asc nulls last limit $2
select "genre", sum("copies")::text, sum("discount")::text, sum("copies")::text, count("copies"), sum("discount")::text, count("discount"), count(*), max("pages"), sum("rating"::double precision), min("rating") from "books" group by "genre" having (sign(sum("copies")::numeric * power(10::numeric, (scale(sum("copies")::numeric) + 4))) * (((abs(sum("copies")::numeric * power(10::numeric, (scale(sum( and so on: 726 characters, 982f35122738eb3b
select "genre", sum("copies")::text, sum("discount")::text, sum("copies")::text, count("copies"), sum("discount")::text, count("discount"), count(*), max("pages"), sum("rating"::double precision), min("rating") from "books" group by "genre" having (sum("discount")::numeric = $1::numeric) is not true order by "genre" asc nulls last limit $2
select "genre", sum("copies")::text, sum("discount")::text, sum("copies")::text, count("copies"), sum("discount")::text, count("discount"), count(*), max("pages"), sum("rating"::double precision), min("rating") from "books" group by "genre" having count(*) in ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21) order by "genre" asc nulls last limit $22
select "genre", sum("copies")::text, sum("discount")::text, sum("copies")::text, count("copies"), sum("discount")::text, count("discount"), count(*), max("pages"), sum("rating"::double precision), min("rating") from "books" group by "genre" having max("pages") >= $1 order by "genre" asc nulls last limit $2
select "genre", sum("copies")::text, sum("discount")::text, sum("copies")::text, count("copies"), sum("discount")::text, count("discount"), count(*), max("pages"), sum("rating"::double precision), min("rating") from "books" group by "genre" having min("rating") = $1 order by "genre" asc nulls last limit $2
select "genre", sum("copies")::text, sum("discount")::text, sum("copies")::text, count("copies"), sum("discount")::text, count("discount"), count(*), max("pages"), sum("rating"::double precision), min("rating") from "books" group by "genre" having sum("copies")::numeric < $1::numeric order by "genre" asc nulls last limit $2
select "genre", sum("copies")::text, sum("discount")::text, sum("copies")::text, count("copies"), sum("discount")::text, count("discount"), count(*), max("pages"), sum("rating"::double precision), min("rating") from "books" group by "genre" having sum("discount")::numeric in ($1::numeric, $2::numeric) order by "genre" asc nulls last limit $3
select "genre", sum("copies")::text, sum("discount")::text, sum("copies")::text, count("copies"), sum("discount")::text, count("discount"), count(*), max("pages"), sum("rating"::double precision), min("rating") from "books" group by "genre" having sum("rating"::double precision) > $1 order by "genre" asc nulls last limit $2
select "genre", sum("copies")::text, sum("discount")::text, sum("copies")::text, count("copies"), sum("discount")::text, count("discount"), count(*), max("pages"), sum("rating"::double precision), min("rating") from "books" group by "genre" having sum("rating"::double precision) is null order by "genre" asc nulls last limit $1
select "genre", sum("rating"::double precision), count("rating") from "books" group by "genre" order by sum("rating"::double precision) / count("rating") desc nulls first, "genre" asc nulls last limit $1
select "id" and all the others from "books" order by "copies" asc nulls last limit $1 offset $2
select "id" and all the others from "books" order by "copies" desc nulls first limit $1 offset $2
select "id" and all the others from "books" order by "rating" asc nulls last, "pages" asc limit $1 offset $2
select "id" and all the others from "books" order by "rating" desc nulls first, "pages" asc limit $1 offset $2
select "id" and all the others from "books" where "copies" < $1 limit $2 offset $3
select "id" and all the others from "books" where "copies" < $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "copies" in ($1) order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where "copies" is not null limit $1 offset $2
select "id" and all the others from "books" where "copies" is not null order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where "copies" is null limit $1 offset $2
select "id" and all the others from "books" where "copies" is null order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where "id" = $1 and ("copies" = $2) is not true
select "id" and all the others from "books" where "id" = $1 and (nullif(concat("loan_period"), '') = $2) is not true
select "id" and all the others from "books" where "id" = $1 and exists (select 1 from "authors" as "related1" where "related1"."id" = "books"."author_id" and "related1"."name" = $2)
select "id" and all the others from "books" where "id" = $1 and nullif(concat("loan_period"), '') = $2
select "id" and all the others from "books" where "title" ilike $1 order by "title" asc limit $2 offset $3
select "id" and all the others from "books" where "title" like $1 order by "title" asc limit $2 offset $3
select "id" and all the others from "books" where ("books"."copies" = $1)
select "id" and all the others from "books" where ("copies" < $1) is not true limit $2 offset $3
select "id" and all the others from "books" where ("copies" = $1 and false) order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("copies" = $1 and true) order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where ("copies" is not null) is not true order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where ("copies" is null) is not true order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where ("tags" @> $1 and $2 collate "C" = any ("tags"::text[])) limit $3 offset $4
select "id" and all the others from "books" where (("copies" = $1 and true)) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where (("copies" = $1) is not true) is not true limit $2 offset $3
select "id" and all the others from "books" where (("copies" = $1) is not true) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where (("tags" @> $1 and $2 collate "C" = any ("tags"::text[]))) is not true limit $3 offset $4
select "id" and all the others from "books" where ((jsonb_path_query_first(case when pg_typeof("meta") = 'jsonb'::regtype or strpos("meta"::text, '\u0000') = 0 then "meta"::jsonb end, $1::text::jsonpath, '{}', true) #>> '{}') ilike $2 or jsonb_path_exists(case when pg_typeof("meta") = 'jsonb'::regtype or strpos("meta"::text, '\u0000') = 0 then "meta"::jsonb end, $3::text::jsonpath, $4::text::jsonb and so on: 427 characters, 7e0d2db1e168ed01
select "id" and all the others from "books" where ((nullif(concat("loan_period"), '') = $1) is not true) is not true limit $2 offset $3
select "id" and all the others from "books" where ((nullif(concat("loan_period"), '') = $1) is not true) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where (exists (select 1 from "authors" as "related1" where "related1"."id" = "books"."author_id" and "related1"."name" = $1))
select "id" and all the others from "books" where (false) is not true order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where (jsonb_path_exists(case when pg_typeof("meta") = 'jsonb'::regtype or strpos("meta"::text, '\u0000') = 0 then "meta"::jsonb end, $1::text::jsonpath, $2::text::jsonb, true) or jsonb_path_exists(case when pg_typeof("meta") = 'jsonb'::regtype or strpos("meta"::text, '\u0000') = 0 then "meta"::jsonb end, $3::text::jsonpath, $4::text::jsonb, true)) limit and so on: 413 characters, 0139c8cf1e502ce1
select "id" and all the others from "books" where (nullif(concat("loan_period"), '') = $1) is not true limit $2 offset $3
select "id" and all the others from "books" where (nullif(concat("loan_period"), '') = $1) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where (nullif(concat("loan_period"), '') in ($1)) is not true order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where exists (select 1 from "authors" as "related1" where "related1"."id" = "books"."author_id" and "related1"."name" = $1) order by "id" asc limit $2 offset $3
select "id" and all the others from "books" where exists (select 1 from "placements" as "related1" where "related1"."book_id" = "books"."id" and "related1"."copies" > $1 and exists (select 1 from "shelves" as "related2" where "related2"."code" = "related1"."shelf_code" and "related2"."code" = $2)) order by "id" asc limit $3 offset $4
select "id" and all the others from "books" where exists (select 1 from "placements" as "related1" where "related1"."book_id" = "books"."id" and exists (select 1 from "shelves" as "related2" where "related2"."code" = "related1"."shelf_code" and "related2"."code" = $1)) order by "id" asc limit $2 offset $3
select "id" and all the others from "books" where exists (select 1 from "placements" as "related1" where "related1"."book_id" = "books"."id" and exists (select 1 from "shelves" as "related2" where "related2"."code" = "related1"."shelf_code")) order by "id" asc limit $1 offset $2
select "id" and all the others from "books" where false order by "isbn" asc limit $1 offset $2
select "id" and all the others from "books" where jsonb_path_exists(case when pg_typeof("meta") = 'jsonb'::regtype or strpos("meta"::text, '\u0000') = 0 then "meta"::jsonb end, $1::text::jsonpath, $2::text::jsonb, true) limit $3 offset $4
select "id" and all the others from "books" where jsonb_path_exists(case when pg_typeof("meta") = 'jsonb'::regtype or strpos("meta"::text, '\u0000') = 0 then "meta"::jsonb end, $1::text::jsonpath, '{}'::text::jsonb, true) is not true limit $2 offset $3
select "id" and all the others from "books" where lower("title") = lower($1) order by "title" asc limit $2 offset $3
select "id" and all the others from "books" where not (exists (select 1 from "authors" as "related1" where "related1"."id" = "books"."author_id" and "related1"."name" = $1)) order by "id" asc limit $2 offset $3
select "id" and all the others from "books" where not (exists (select 1 from "placements" as "related1" where "related1"."book_id" = "books"."id" and "related1"."copies" > $1 and exists (select 1 from "shelves" as "related2" where "related2"."code" = "related1"."shelf_code"))) order by "id" asc limit $2 offset $3
select "id" and all the others from "books" where not (exists (select 1 from "placements" as "related1" where "related1"."book_id" = "books"."id" and exists (select 1 from "shelves" as "related2" where "related2"."code" = "related1"."shelf_code"))) order by "id" asc limit $1 offset $2
select "id" and all the others from "books" where nullif(concat("loan_period"), '') = $1 limit $2 offset $3
select "id" and all the others from "books" where nullif(concat("loan_period"), '') = $1 order by "isbn" asc limit $2 offset $3
select "id" and all the others from "books" where nullif(concat("loan_period"), '') in ($1) order by "isbn" asc limit $2 offset $3
select "id" from "books" where "pages" < $1 and "isbn" = $2 order by "price" desc, "id" asc limit $3 offset $4
select "id", "book_id", "reviewer", "text" from "replies" where not (exists (select 1 from "reviews" as "related1" where "related1"."book_id" = "replies"."book_id" and "related1"."reviewer" = "replies"."reviewer")) order by "id" asc limit $1 offset $2
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" where "constructor" = $1 order by "constructor" asc nulls last limit $2 offset $3
select "id", "name", "constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON" from "oddities" where "constructor" ilike $1 order by "constructor" asc nulls last limit $2 offset $3
select "id", "name", "email", "bio" from "authors" where "id" = $1 and "name" = $2 for update
select "id", "name", "email", "bio" from "authors" where "id" = $1 and "name" in ($2, $3)
select "id", "name", "email", "bio" from "authors" where "id" = $1 and exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id")
select "id", "name", "email", "bio" from "authors" where "id" = $1 and false
select "id", "name", "email", "bio" from "authors" where "id" = $1 for update
select "id", "name", "email", "bio" from "authors" where "id" = any ($1) order by "id" asc limit $2 offset $3
select "id", "name", "email", "bio" from "authors" where "name" = $1 and "name" = $2 limit $3 offset $4
select "id", "name", "email", "bio" from "authors" where ("authors"."bio" is null)
select "id", "name", "email", "bio" from "authors" where ("authors"."id" = any ($1))
select "id", "name", "email", "bio" from "authors" where ("authors"."id" in ($1))
select "id", "name", "email", "bio" from "authors" where ("bio" = $1 and ("name" = $2) is not true) order by "id" asc limit $3 offset $4
select "id", "name", "email", "bio" from "authors" where ("bio" ilike $1) is not true order by "name" asc limit $2 offset $3
select "id", "name", "email", "bio" from "authors" where ("name" <= $1 and ("name", "id") > ($2, $3)) order by "id" asc limit $4 offset $5
select "id", "name", "email", "bio" from "authors" where ("name" = $1 or "name" = $2) order by "id" asc limit $3 offset $4
select "id", "name", "email", "bio" from "authors" where ("name" in ($1, $2) or "bio" ilike $3) and "id" = $4 order by "name" asc limit $5 offset $6
select "id", "name", "email", "bio" from "authors" where ("name" in ($1, $2) or "bio" ilike $3) order by "name" asc limit $4 offset $5
select "id", "name", "email", "bio" from "authors" where (("authors"."bio" = $1 and ("authors"."name" = $2) is not true))
select "id", "name", "email", "bio" from "authors" where (("authors"."name" = $1 or "authors"."name" = $2))
select "id", "name", "email", "bio" from "authors" where (("authors"."name" = $1) is not true)
select "id", "name", "email", "bio" from "authors" where (("bio" ilike $1 and "name" = $2)) is not true order by "name" asc limit $3 offset $4
select "id", "name", "email", "bio" from "authors" where (("bio" ilike $1 or "name" = $2)) is not true order by "name" asc limit $3 offset $4
select "id", "name", "email", "bio" from "authors" where (("bio" ilike $1) is not true) is not true order by "name" asc limit $2 offset $3
select "id", "name", "email", "bio" from "authors" where (exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id" and "related1"."price" > $1) and exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id" and "related1"."pages" = $2)) order by "id" asc limit $3 offset $4
select "id", "name", "email", "bio" from "authors" where (false)
select "id", "name", "email", "bio" from "authors" where exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id" and ("related1"."price" > $1 and "related1"."pages" = $2)) order by "id" asc limit $3 offset $4
select "id", "name", "email", "bio" from "authors" where exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id" and ("related1"."price" > $1) is not true) order by "id" asc limit $2 offset $3
select "id", "name", "email", "bio" from "authors" where exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id" and exists (select 1 from "authors" as "related2" where "related2"."id" = "related1"."author_id" and not (exists (select 1 from "books" as "related3" where "related3"."author_id" = "related2"."id" and "related3"."title" = $1)))) order by "id" asc limit  and so on: 412 characters, 3a910e1f91ff0d71
select "id", "name", "email", "bio" from "authors" where exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id") order by "id" asc limit $1 offset $2
select "id", "name", "email", "bio" from "authors" where not (exists (select 1 from "books" as "related1" where "related1"."author_id" = "authors"."id")) order by "id" asc limit $1 offset $2
select "id", "name", "email", "bio" from "authors" where true
select "id", "name", "parent_id" from "categories" where "id" = $1 and exists (select 1 from "categories" as "related1" where "related1"."id" = "categories"."parent_id" and exists (select 1 from "categories" as "related2" where "related2"."id" = "related1"."parent_id" and "related2"."name" = $2))
select "id", "name", "parent_id" from "categories" where (exists (select 1 from "categories" as "related1" where "related1"."id" = "categories"."parent_id" and exists (select 1 from "categories" as "related2" where "related2"."id" = "related1"."parent_id" and "related2"."name" = $1)))
select "id", "name", "parent_id" from "categories" where (not (exists (select 1 from "categories" as "related1" where "related1"."id" = "categories"."parent_id" and "related1"."name" = $1)))
select "modelrest_found".* from unnest(array(select "book_id" from "reviews" limit 0) || $1, array(select "reviewer" from "reviews" limit 0) || $2) with ordinality as "record"("key0", "key1", "ordinal"), lateral (select "related"."id", "related"."book_id", "related"."reviewer", "related"."text", "record"."ordinal" from "replies" as "related" where "related"."book_id" = "record"."key0" and "related and so on: 489 characters, ff418d0fa21c5b18
select "modelrest_found".* from unnest(array(select "id" from "authors" limit 0) || $1) with ordinality as "record"("key0", "ordinal"), lateral (select "related"."id", "related"."title", "record"."ordinal" from "books" as "related" where "related"."author_id" = "record"."key0" order by "related"."price" desc limit $2) as "modelrest_found"
select "modelrest_found".* from unnest(array(select "id" from "authors" limit 0) || $1) with ordinality as "record"("key0", "ordinal"), lateral (select "related"."id", "related"."title", "related"."isbn", "related"."price", "related"."discount", "related"."rating", "related"."weight", "related"."pages", "related"."copies", "related"."in_stock", "related"."genre", "related"."published_on", "related and so on: 818 characters, f9473c79b237a095
select "modelrest_found".* from unnest(array(select "id" from "authors" limit 0) || $1) with ordinality as "record"("key0", "ordinal"), lateral (select "related"."id", "related"."title", "related"."isbn", "related"."price", "related"."discount", "related"."rating", "related"."weight", "related"."pages", "related"."copies", "related"."in_stock", "related"."genre", "related"."published_on", "related and so on: 849 characters, 37c7dd070ee18553
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
select case when exists (select 1 from "books" where "books"."author_id" = (select "id" from "authors" where "id" = $1)) then 1 else 0 end, case when exists (select 1 from "books" where "books"."translator_id" = (select "id" from "authors" where "id" = $2)) then 1 else 0 end
select case when exists (select asked."bio" from "authors" as asked where 1 = 0) then 1 else 0 end
select case when exists (select asked."email", asked."bio" from "authors" as asked where 1 = 0) then 1 else 0 end
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
select case when not (to_regclass($1) is not null) then 1 else 0 end
select case when not (to_regclass($1) is not null) then 1 else 0 end, case when not (to_regclass($2) is not null) then 1 else 0 end, case when not (to_regclass($3) is not null) then 1 else 0 end, case when not (to_regclass($4) is not null) then 1 else 0 end, case when not (to_regclass($5) is not null) then 1 else 0 end, case when not (to_regclass($6) is not null) then 1 else 0 end, case when not ( and so on: 572 characters, e420f12d4b74770f
select case when relkind in ('r', 'm') and not relhassubclass and not relrowsecurity then reltuples end from pg_class where oid = to_regclass($1)
select cast($1 as character varying(100))
select cast($1 as character varying(13))
select cast($1 as character varying(200))
select cast($1 as integer)
select cast($1 as jsonb)
select cast($1 as numeric(10,2))
select cast($1 as real)
select cast($1 as timestamp(3) with time zone)
select count(*) from "authors"
select count(*) from "authors" where "bio" = $1
select count(*) from "authors" where "name" = $1 and "name" = $2
select count(*) from "authors" where "name" = any ($1)
select count(*) from "authors" where "name" in ($1, $2)
select count(*) from "authors" where ("id" = $1 and "id" = $2)
select count(*) from "authors" where ("id" = $1 and ("name" = $2) is not true)
select count(*) from "authors" where ("id" = $1 or "id" = $2)
select count(*) from "authors" where ("name" = $1) is not true
select count(*) from "authors" where (false or true)
select count(*) from "authors" where (false)
select count(*) from "authors" where (false) is not true
select count(*) from "authors" where (true) is not true
select count(*) from "authors" where false
select count(*) from "books" having count(*) > $1 limit $2
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
select count(*) from (select 1 from "authors" limit $1) as counted
select count(*) from (select 1 from "authors" where "name" = $1 and "name" = $2 limit $3) as counted
select count(*) from (select 1 from "authors" where "name" = $1 limit $2) as counted
select count(*), "record"."ordinal" from unnest(array(select "book_id" from "reviews" limit 0) || $1, array(select "reviewer" from "reviews" limit 0) || $2) with ordinality as "record"("key0", "key1", "ordinal"), "replies" as "related" where "related"."book_id" = "record"."key0" and "related"."reviewer" = "record"."key1" group by "record"."ordinal"
select count(*), "record"."ordinal" from unnest(array(select "id" from "authors" limit 0) || $1) with ordinality as "record"("key0", "ordinal"), "books" as "related" where "related"."author_id" = "record"."key0" and "related"."pages" = $2 group by "record"."ordinal"
select count(*), "record"."ordinal" from unnest(array(select "id" from "authors" limit 0) || $1) with ordinality as "record"("key0", "ordinal"), "books" as "related" where "related"."author_id" = "record"."key0" group by "record"."ordinal"
select count(*), "record"."ordinal" from unnest(array(select "id" from "books" limit 0) || $1) with ordinality as "record"("key0", "ordinal"), "placements" as "link" inner join "shelves" as "related" on "link"."shelf_code" = "related"."code" where "link"."book_id" = "record"."key0" and "link"."copies" > $2 and "related"."code" = $3 group by "record"."ordinal"
select count(*), sum("price")::text, sum("price")::text, count("price"), min("price"), max("pages") from "books" limit $1
select count(distinct "title"), count(distinct "price"), count(distinct "discount"), count(distinct "rating"), count(distinct "weight"), count(distinct "pages"), count(distinct "copies"), count(distinct "in_stock"), count(distinct "genre"), count(distinct "published_on"), count(distinct "printed_at"), count(distinct "sold_at"), count(distinct "opens_at"), count(distinct "cover"), count(distinct "l and so on: 434 characters, 70d49ddc0c98f1a5
select current_database()
select current_setting('DateStyle') as s0, current_setting('extra_float_digits') as s1, current_setting('bytea_output') as s2
select sum("copies")::text, sum("copies")::text, count("copies"), sum("discount")::text, sum("discount")::text, count("discount") from "books" limit $1
select sum("discount")::text from "books" limit $1
select sum("discount")::text, count("discount") from "books" where "pages" = $1 limit $2
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
update "books" set "author_id" = $1 where "id" = $2 returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "discount" = default, "in_stock" = default, "genre" = default where "id" = $1 returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "books" set "pages" = $1 where "id" = $2 and exists (select 1 from "authors" as "related1" where "related1"."id" = "books"."author_id" and "related1"."name" = $3) returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "aut and so on: 455 characters, 973ed70582a7a083
update "books" set "title" = $1, "category_id" = $2 where "id" = $3 returning "id", "title", "isbn", "price", "discount", "rating", "weight", "pages", "copies", "in_stock", "genre", "published_on", "printed_at", "sold_at", "opens_at", "cover", "meta"::text, "tags", "loan_period", "signature", "author_id", "translator_id", "category_id", "title_length"
update "categories" set "name" = $1 where "id" = $2 and exists (select 1 from "categories" as "related1" where "related1"."id" = "categories"."parent_id" and exists (select 1 from "categories" as "related2" where "related2"."id" = "related1"."parent_id" and "related2"."name" = $3)) returning "id", "name", "parent_id"
update "categories" set "name" = $1 where "id" = $2 and exists (select 1 from "categories" as "related1" where "related1"."parent_id" = "categories"."id" and exists (select 1 from "categories" as "related2" where "related2"."parent_id" = "related1"."id")) returning "id", "name", "parent_id"
