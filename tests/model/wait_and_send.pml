/*
 * Two nodes over one database: suspend, send to one instance, broadcast, and timers, with crashes and
 * clients that retry. check_model.py explores every interleaving; each #ifdef below removes one
 * protection and must give a counter-example.
 *
 * How the model maps to the code
 *   a round            src/round/shard.cpp: lock, load, decide, write and commit, answer. One
 *                      operation a round: that a fold equals one by one is tested elsewhere.
 *   channel lock       src/store/read_set.h, Channel::exclusive: shared for a suspend, exclusive for a
 *                      broadcast. All waits here are for one name with one of two correlation keys, or
 *                      with both: name and key are the channel (src/model/channel.h), each has its lock,
 *                      and a suspend takes those of all its keys, in order.
 *   row lock           the sorted locking pass over instances; it returns the newest row. Other tables
 *                      are read in a later statement (READ COMMITTED).
 *   suspend            src/operations/events/suspend.cpp, take_pending in src/operations/events/deliver.cpp
 *   send, broadcast    src/operations/events/send_event.cpp; LoadMore is "run the round again"
 *   fire               src/operations/events/fire_timer.cpp; a node reads a due timer and fires it in a
 *                      later round, so that the wait may be another one by then
 *   deliver            wake in src/operations/events/deliver.cpp; an event leaves the queue by a DELETE that counts
 *                      its rows (src/store/sql)
 *   index_of, waiting, timer   instances.activity_index, waits and status, timers.token
 *   queued, delivered  rows of pending_events, rows of event_fates
 *   runner_at, knows_asleep    the runner of an instance: the index it works at, and whether it was answered
 *                      that the instance is suspended. It retries until it is answered.
 *   answered           the sender of an event: it sends the same event id until it is answered, possibly
 *                      to both nodes at once.
 *
 * A crash drops the open transaction and its locks. It happens before the commit or between the commit
 * and the answer; any other moment before the commit leaves the same rows. A token is the index of its
 * wait plus one: here each index registers one wait.
 */

#ifndef CRASHES
#define CRASHES 2
#endif

#ifndef EVENTS
#define EVENTS 2
#endif

#define INSTANCES 2
#define NONE 9

/* Instance 0 waits often enough for two timers and every event. Instance 1 waits once and may take a
   broadcast away from it. */
#define WAITS (EVENTS + 2)
#define waits_of(i) (i == 0 -> WAITS : 1)
#define arms_timer(i, index) (i == 0 && index < 2)

/* Event 0 is sent to instance 0, the others are broadcasts. */
#define LAST (EVENTS - 1)

/* Event 1 carries key 1, the others key 0. The waits of instance 0 that have a timer are for one key
   each, its later ones for both, so that every event is taken in the end. Instance 1 waits for key 1. */
#define key_of(e) ((e) == 1 -> 1 : 0)
#define names(i, index, key) ((i) == 1 -> (key) == 1 : ((index) >= 2 || (index) == (key)))
#ifdef NO_KEY
#define meets(i, index, e) true
#else
#define meets(i, index, e) names(i, index, key_of(e))
#endif
#define take_one(i, index, e) (queued[e] && meets(i, index, e))
#define may_take(i, index) \
    (take_one(i, index, 1) || take_one(i, index, LAST) || ((i) == 0 && take_one(0, index, 0)))

mtype = { suspend, send, broadcast, fire };
mtype = { asleep, woken, sent, stale, again };

/* Committed state. */
byte index_of[INSTANCES];
bool waiting[INSTANCES];
byte timer[INSTANCES];
bool queued[EVENTS];
byte delivered[EVENTS];
byte winners[INSTANCES * WAITS];

/* Locks of open transactions. */
byte shared_holders[2];
bool exclusive_holder[2];
bool row_locked[INSTANCES];

/* State of the clients. */
byte runner_at[INSTANCES];
bool knows_asleep[INSTANCES];
bool answered[EVENTS];

byte crashes;

inline take_channel(key) {
#ifndef NO_CHANNEL_LOCK
    if
    :: atomic {
           alone && !exclusive_holder[key] && shared_holders[key] == 0 ->
           exclusive_holder[key] = true;
           exclusive[key] = true
       }
    :: atomic { !alone && !exclusive_holder[key] -> shared_holders[key]++; shared[key] = true }
    fi
#else
    skip
#endif
}

#define locks(key) \
    ((op == suspend && names(id, asked, key)) || (op == broadcast && key_of(event) == (key)))

inline take_channels() {
    if
    :: locks(0) -> take_channel(0)
    :: else
    fi;
    if
#ifdef FIRST_KEY_ONLY
    :: locks(1) && !locks(0) -> take_channel(1)
#else
    :: locks(1) -> take_channel(1)
#endif
    :: else
    fi
}

inline release(key) {
    shared_holders[key] = shared_holders[key] - shared[key];
    exclusive_holder[key] = exclusive_holder[key] && !exclusive[key];
    shared[key] = false;
    exclusive[key] = false
}

inline read_row() {
    row_waiting = waiting[id];
    row_index = index_of[id];
    row_timer = timer[id]
}

inline take_row() {
    atomic {
#ifndef NO_ROW_LOCK
        !row_locked[id] -> row_locked[id] = true; row = id;
#endif
        d_step { read_row() }
    }
}

inline unlock() {
    release(0);
    release(1);
    if
    :: row != NONE -> row_locked[row] = false
    :: else
    fi;
    row = NONE
}

inline wake() {
    winners[id * WAITS + row_index]++;
    assert(winners[id * WAITS + row_index] == 1); /* I6: one winner per index */
    index_of[id] = row_index + 1;
    waiting[id] = false;
    timer[id] = 0
}

inline deliver(e) {
    assert(names(id, row_index, key_of(e))); /* an event ends a wait for its key alone */
    delivered[e]++;
    assert(delivered[e] == 1); /* I2: no event is delivered twice */
    queued[e] = false;
    wake()
}

inline fall_asleep() {
    waiting[id] = true;
    index_of[id] = row_index;
    timer[id] = (arms_timer(id, row_index) -> row_index + 1 : 0)
}

/* The outcome of the round, from what was loaded. */
inline decide() {
    if
    :: op == suspend && asked < row_index -> outcome = woken
    :: op == suspend && asked > row_index -> outcome = stale /* overtaken */
    :: op == suspend && asked == row_index && row_waiting -> outcome = asleep
    :: op == suspend && asked == row_index && !row_waiting && event == NONE -> outcome = asleep
    :: op == suspend && asked == row_index && !row_waiting && event != NONE -> outcome = woken
    :: (op == send || op == broadcast) && known -> outcome = sent
    :: op == send && !known -> outcome = sent
    :: op == broadcast && !known && id == NONE -> outcome = sent
    :: op == broadcast && !known && id != NONE ->
        outcome = (row_waiting && meets(id, row_index, event) -> sent : again)
    :: op == fire -> outcome = stale
    fi
}

inline write() {
    if
    :: op == suspend && outcome == asleep && !row_waiting -> fall_asleep()
    :: op == suspend && outcome == woken && asked == row_index ->
        /* Two suspends share the channel and may read the same broadcast. The second DELETE counts no row:
           its round runs again with the exclusive lock. */
        if
#ifndef NO_COUNT
        :: !queued[event] -> outcome = again
#endif
        :: else -> deliver(event)
        fi
    :: op == send && !known && row_waiting && meets(id, row_index, event) -> deliver(event)
    :: op == send && !known && !(row_waiting && meets(id, row_index, event)) -> queued[event] = true
    :: op == broadcast && outcome == sent && !known && id != NONE -> deliver(event)
    :: op == broadcast && outcome == sent && !known && id == NONE -> queued[event] = true
#ifdef NO_TOKEN
    :: op == fire && row_waiting && row_timer != 0 ->
#else
    :: op == fire && row_waiting && row_timer == token ->
#endif
        assert(token == row_index + 1); /* I19: a stale timer ends no later wait */
        wake()
    :: else
    fi
}

inline check_committed() {
    assert(!(waiting[0] && may_take(0, index_of[0]))); /* I1: never both queued and waited for */
    assert(!(waiting[1] && may_take(1, index_of[1])));
    assert(!(queued[0] && delivered[0] > 0)); /* I3: in one place */
    assert(!(queued[1] && delivered[1] > 0));
    assert(!(queued[LAST] && delivered[LAST] > 0))
}

inline answer() {
    if
    :: outcome == sent -> answered[event] = true
    :: outcome == asleep && runner_at[id] == asked -> knows_asleep[id] = true
    :: outcome == woken && runner_at[id] == asked -> runner_at[id]++; knows_asleep[id] = false
    :: else
    fi
}

/* The waits that a broadcast may end; which one is the oldest is left open. */
#define finds(i) (waiting[i] && meets(i, index_of[i], event))
inline look_for_wait() {
    if
    :: atomic { op == broadcast && finds(0) -> id = 0 }
    :: atomic { op == broadcast && finds(1) -> id = 1 }
    :: atomic { op == broadcast && !finds(0) && !finds(1) -> id = NONE }
    :: op != broadcast
    fi
}

/* The oldest event that a wait of this instance may take; a targeted event first. */
inline look_into_queue() {
    if
    :: op != suspend
    :: op == suspend && id == 0 && take_one(0, asked, 0) -> event = 0
    :: op == suspend && !(id == 0 && take_one(0, asked, 0)) && take_one(id, asked, 1) -> event = 1
#if EVENTS > 2
    :: op == suspend && !(id == 0 && take_one(0, asked, 0)) && !take_one(id, asked, 1) &&
       take_one(id, asked, LAST) -> event = LAST
#endif
    :: op == suspend && !may_take(id, asked) -> event = NONE
    fi
}

inline look_for_event() {
    if
#ifndef NO_DEDUPE
    :: op == send || op == broadcast -> known = queued[event] || delivered[event] > 0
#endif
    :: else
    fi
}

inline forget() {
    op = 0; outcome = 0; id = NONE; event = NONE; asked = 0; token = 0; known = false;
    row_waiting = false; row_index = 0; row_timer = 0; alone = false
}

active [2] proctype Node() {
    mtype op, outcome;
    byte id = NONE, event = NONE, asked, token, row_index, row_timer;
    bool known, row_waiting, alone;
    byte row = NONE; /* the locks that this round holds */
    bool shared[2], exclusive[2];

end_idle:
    atomic {
        if
        :: !answered[0] -> op = send; event = 0; id = 0
        :: !answered[1] -> op = broadcast; event = 1; alone = true
#if EVENTS > 2
        :: !answered[LAST] -> op = broadcast; event = LAST; alone = true
#endif
        :: runner_at[0] < waits_of(0) && !knows_asleep[0] -> op = suspend; id = 0; asked = runner_at[0]
        :: runner_at[1] < waits_of(1) && !knows_asleep[1] -> op = suspend; id = 1; asked = runner_at[1]
        :: knows_asleep[0] && index_of[0] > runner_at[0] -> runner_at[0]++; knows_asleep[0] = false; goto end_idle
        :: knows_asleep[1] && index_of[1] > runner_at[1] -> runner_at[1]++; knows_asleep[1] = false; goto end_idle
        :: timer[0] != 0 -> op = fire; id = 0; token = timer[0]
        fi
    }

round:
#ifdef OLD_SNAPSHOT
    atomic { look_for_wait(); look_into_queue() }
#endif
    if
    :: op == suspend || op == broadcast -> take_channels()
    :: else
    fi;
#ifndef OLD_SNAPSHOT
    look_for_wait();
#endif
    if
    :: id != NONE -> take_row()
    :: else
    fi;
    d_step {
#ifndef OLD_SNAPSHOT
        look_into_queue();
#endif
        look_for_event();
        decide()
    }
#ifdef EARLY_ANSWER
    d_step { answer() }
#endif
    if
    :: atomic { crashes < CRASHES -> crashes++; unlock(); forget(); goto end_idle }
    :: atomic {
           d_step { write(); unlock(); check_committed() }
           if
           :: outcome == again -> alone = true; goto round
           :: else
           fi
       }
    fi;
    if
    :: atomic { crashes < CRASHES -> crashes++; forget(); goto end_idle }
    :: atomic { answer(); forget(); goto end_idle }
    fi
}

/* Crashes are bounded, so they stop; every process that can move eventually does (pan -f). */
#define consumed(e) (answered[e] -> <> (delivered[e] == 1))
ltl consumed_once { [] (consumed(0) && consumed(1) && consumed(LAST)) }
ltl all_answered { <> (answered[0] && answered[1] && answered[LAST]) }
