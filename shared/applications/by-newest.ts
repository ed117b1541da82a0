interface Dated {
  readonly id: number
  readonly createdAt: string
}

/** Ids say nothing about time: an application made without a network arrives later. */
export const byNewest = (one: Dated, other: Dated): number =>
  one.createdAt === other.createdAt ? other.id - one.id : one.createdAt < other.createdAt ? 1 : -1
