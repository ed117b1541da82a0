import type { Knex } from 'knex'
import { createKnex } from '../db/knex-config.ts'
import { dropDatabase } from './template-database.ts'

/** A copy of a database to which nobody is connected. @returns its name */
export async function layAside(url: string): Promise<string> {
  return await besides(url, async (beside, name) => {
    await beside.raw('create database ?? template ??', [`${name}_aside`, name])
    return `${name}_aside`
  })
}

/** Replaces a database by one that was laid aside. */
export async function putInPlace(url: string, from: string): Promise<void> {
  await besides(url, async (beside, name, address) => {
    await dropDatabase(address, name)
    await beside.raw('alter database ?? rename to ??', [from, name])
  })
}

async function besides<T>(url: string, work: (beside: Knex, name: string, address: string) => Promise<T>): Promise<T> {
  const address = new URL(url)
  const name = address.pathname.slice(1)
  address.pathname = '/postgres'
  const beside = createKnex(address.href, { poolSize: 1 })
  try {
    return await work(beside, name, address.href)
  } finally {
    await beside.destroy()
  }
}
