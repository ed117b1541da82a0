// What the figures are compared with: the plainest server that does the same work, as a process of its own.
// It tells its port on standard output.
import { createServer, type ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { Client, Pool } from 'pg'

const LIST = `
select '[' || coalesce(string_agg(l.body, ',' order by e.start_date, plain_text(e.name), e.id), '') || ']' as list
from events e
join sync_log l on l.scope = 'public' and l.collection = 'events' and l.doc_id = e.id::text and not l.deleted
where e.end_date >= (now() at time zone e.time_zone)::date`

const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: 10 })
const kept = new Map<string, Buffer>()

const streams = new Set<ServerResponse>()

/** One transaction of a key, a decision, its document and its announcement. */
async function decide(id: number, key: string): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query({
      name: 'key',
      text: `insert into raw_keys (key, body) values ($1, $2)`,
      values: [key, '{"status":"approved"}'],
    })
    const { rows } = await client.query<{ body: string }>({
      name: 'decide',
      text: `update applications set status = 'approved' where id = $1 returning row_to_json(applications)::text as body`,
      values: [id],
    })
    await client.query({
      name: 'log',
      text: `insert into raw_log (doc_id, version, body) values ($1, nextval('raw_versions'), $2)`,
      values: [id, rows[0]?.body ?? ''],
    })
    await client.query({ name: 'tell', text: `select pg_notify('raw', $1)`, values: [rows[0]?.body ?? ''] })
    await client.query('commit')
  } finally {
    client.release()
  }
}

async function listen(): Promise<void> {
  await pool.query(
    `create table if not exists raw_keys (key text primary key, body text);
     create table if not exists raw_log (doc_id bigint, version bigint primary key, body text);
     create sequence if not exists raw_versions`,
  )
  const client = new Client({ connectionString: process.env['DATABASE_URL'] })
  await client.connect()
  client.on('notification', ({ payload }) => {
    for (const stream of streams) stream.write(`event: poke\ndata: ${payload ?? ''}\n\n`)
  })
  await client.query('listen raw')
}
await listen()

/**
 * GET /events queries; GET /stream brings what POST /decide?id=&key= decides; POST /keep?name= keeps a text, GET /kept?name=
 * sends it compressed; POST /lines answers its own text.
 */
const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost')
  if (url.pathname === '/events') {
    pool.query<{ list: string }>({ name: 'list', text: LIST }).then(
      ({ rows }) => {
        const body = Buffer.from(rows[0]?.list ?? '[]')
        response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length })
        response.end(body)
      },
      () => response.writeHead(500).end(),
    )
    return
  }
  if (url.pathname === '/kept') {
    response.writeHead(200, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Encoding': 'gzip',
      'Cache-Control': 'no-store',
    })
    response.end(kept.get(url.searchParams.get('name') ?? ''))
    return
  }
  if (url.pathname === '/stream') {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    response.write(': here\n\n')
    streams.add(response)
    response.once('close', () => streams.delete(response))
    return
  }
  if (url.pathname === '/decide') {
    decide(Number(url.searchParams.get('id')), url.searchParams.get('key') ?? '').then(
      () => response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"status":"approved"}'),
      () => response.writeHead(500).end(),
    )
    return
  }
  if (request.method === 'POST') {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      if (url.pathname === '/keep') kept.set(url.searchParams.get('name') ?? '', gzipSync(body, { level: 4 }))
      response.writeHead(200, { 'Content-Type': 'application/x-ndjson' })
      response.end(url.pathname === '/keep' ? undefined : body)
    })
    return
  }
  response.writeHead(200, { 'Content-Type': 'text/html' })
  response.end('<!doctype html><title>Floor</title>')
})

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`${typeof address === 'object' && address ? address.port : 0}\n`)
})
