import { prismaModels } from '../../../../src/entry/prisma.ts'
import { generate } from '../../../source/prisma/generated.ts'
import { type OpenedOrm, type Place, prismaAdapter, prismaProviders } from '../../orm-places.ts'
import { strips, stripTable } from './tables.ts'

const owned = `
  id       Int @id @default(autoincrement())
  tenantId Int @map("tenant_id")`

const schema = `
model Account {${owned}
  name        String
  code        String?      @unique
  marks       String?
  parentId    Int?         @map("parent_id")
  parent      Account?     @relation("parent", fields: [parentId], references: [id])
  children    Account[]    @relation("parent")
  deletedAt   DateTime?    @map("deleted_at")
  memberships Membership[]
  contents    Content[]
  tickets     Ticket[]
${strips.map((strip) => `  ${stripTable(strip)} ${strip}[]`).join('\n')}
  @@map("accounts")
}
model Team {${owned}
  name        String
  memberships Membership[]
  @@map("teams")
}
model Membership {
  id        Int     @id @default(autoincrement())
  accountId Int     @map("account_id")
  teamId    Int     @map("team_id")
  level     Int     @default(1)
  account   Account @relation(fields: [accountId], references: [id])
  team      Team    @relation(fields: [teamId], references: [id])
  @@unique([accountId, teamId])
  @@map("memberships")
}
model Label {${owned}
  name     String
  contents Content[]
  links    ContentLabel[]
  @@map("labels")
}
model Content {${owned}
  kind      String         @default("content")
  title     String
  size      Int?
  accountId Int?           @map("account_id")
  account   Account?       @relation(fields: [accountId], references: [id])
  labels    Label[]
  links     ContentLabel[]
  remarks   Remark[]       @relation("content")
  postRemarks Remark[]     @relation("post")
  @@map("contents")
}
model ContentLabel {
  contentId Int     @map("A")
  labelId   Int     @map("B")
  content   Content @relation(fields: [contentId], references: [id])
  label     Label   @relation(fields: [labelId], references: [id])
  @@id([contentId, labelId])
  @@map("_ContentToLabel")
}
model Remark {
  id        Int      @id @default(autoincrement())
  text      String?
  contentId Int?     @map("content_id")
  postId    Int?     @map("post_id")
  content   Content? @relation("content", fields: [contentId], references: [id])
  post      Content? @relation("post", fields: [postId], references: [id])
  @@map("remarks")
}
model Slot {
  room     String
  place    Int
  tenantId Int      @map("tenant_id")
  label    String?
  tickets  Ticket[]
  @@id([room, place])
  @@map("slots")
}
model Ticket {${owned}
  room        String?
  place       Int?
  accountCode String?  @map("account_code")
  slot        Slot?    @relation(fields: [room, place], references: [room, place])
  account     Account? @relation(fields: [accountCode], references: [code])
  @@map("tickets")
}
${strips
  .map(
    (strip) => `model ${strip} {${owned}
  accountId Int     @map("account_id")
  account   Account @relation(fields: [accountId], references: [id])
  @@map("${stripTable(strip)}")
}`,
  )
  .join('\n')}
`

export const prisma = async (place: Place): Promise<OpenedOrm> => {
  const { metadata, connect } = await generate(prismaProviders[place.kind], schema)
  const client = connect(prismaAdapter(place))
  return { models: prismaModels(client, metadata), end: () => client.$disconnect() }
}
