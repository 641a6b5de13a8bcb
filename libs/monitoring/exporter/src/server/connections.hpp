#pragma once

#include <chrono>
#include <cstddef>
#include <list>

namespace batchscope::exporter {

class Connection {
 public:
  virtual ~Connection() = default;
  // Ends it; it is no member of Connections any more.
  virtual void drop() = 0;
};

// Who is connected, at most so many. When there is no room, whoever has kept it longest without a
// request goes first, and after those whoever has been idle longest between two requests. So
// clients that send nothing, or a byte a second, keep nobody out. Of the thread of the I/O.
class Connections {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // Where a connection is listed.
  struct Place {
    Connection* connection = nullptr;
    Time since{};
    std::list<Place>* in = nullptr;
  };
  using Ticket = std::list<Place>::iterator;

  explicit Connections(std::size_t most) : most_(most) {}

  Ticket add(Connection& connection, Time now) {
    return fresh_.insert(fresh_.end(), {&connection, now, &fresh_});
  }
  // It has been answered.
  void served(Ticket ticket, Time now);
  void remove(Ticket ticket) { ticket->in->erase(ticket); }
  bool is_full() const { return fresh_.size() + idle_.size() >= most_; }
  // Whether there is room now. Nobody goes who came only just now.
  bool make_room(Time now);

 private:
  bool drop_oldest(std::list<Place>& places, Time before);
  void move(Ticket ticket, std::list<Place>& to);

  std::size_t most_;
  std::list<Place> fresh_, idle_, dropped_;
};

}  // namespace batchscope::exporter
