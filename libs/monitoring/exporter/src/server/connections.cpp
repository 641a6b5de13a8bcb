#include "server/connections.hpp"

namespace batchscope::exporter {
namespace {

constexpr std::chrono::milliseconds kLeastStay(200);

}  // namespace

void Connections::served(Ticket ticket, Time now) {
  if (ticket->in == &dropped_) return;
  ticket->since = now;
  move(ticket, idle_);
}

bool Connections::make_room(Time now) {
  while (is_full()) {
    if (!drop_oldest(fresh_, now - kLeastStay) && !drop_oldest(idle_, now - kLeastStay))
      return false;
  }
  return true;
}

bool Connections::drop_oldest(std::list<Place>& places, Time before) {
  if (places.empty() || places.front().since > before) return false;
  const Ticket oldest = places.begin();
  move(oldest, dropped_);
  // Removes it later, when what it waits for has ended.
  oldest->connection->drop();
  return true;
}

void Connections::move(Ticket ticket, std::list<Place>& to) {
  to.splice(to.end(), *ticket->in, ticket);
  ticket->in = &to;
}

}  // namespace batchscope::exporter
